"""What a browser without JavaScript sees of a page: its forms and its words."""

from hypothesis import given
from hypothesis import strategies as st

from services.standalone.visitor import Form, forms_of, words_of


def test_a_form_carries_its_fields_and_where_it_goes() -> None:
    page = """
    <form method="post" action="/p/confirm">
      <input type="hidden" name="csrf_token" value="a&amp;b">
      <input type="hidden" name="candidate_id" value="c1">
      <button class="btn" type="submit">确认</button>
    </form>
    """
    assert forms_of(page) == [Form("/p/confirm", {"csrf_token": "a&b", "candidate_id": "c1"})]


def test_only_forms_that_post_are_found() -> None:
    page = '<form action="/find"><input name="q" value="x"></form><form method="POST"></form>'
    assert forms_of(page) == [Form("")]


def test_an_unchecked_box_is_not_sent_and_a_checked_one_is() -> None:
    page = """
    <form method="post">
      <input type="checkbox" name="off" value="1">
      <input type="checkbox" name="on" checked>
      <input type="radio" name="which" value="a">
      <input type="radio" name="which" value="b" checked>
    </form>
    """
    assert forms_of(page)[0].fields == {"on": "on", "which": "b"}


def test_a_button_is_sent_only_when_it_is_pressed() -> None:
    page = """
    <form method="post">
      <button name="action" value="ignore">×</button><input type="submit" name="go" value="1">
    </form>
    """
    (form,) = forms_of(page)
    assert form.fields == {}
    assert form.buttons == [("action", "ignore"), ("go", "1")]


def test_a_field_may_stand_before_or_after_the_form_that_it_names() -> None:
    page = """
    <input name="early" value="1" form="f">
    <form id="f" method="post"></form>
    <input name="late" value="2" form="f"><input name="lost" value="3" form="nobody">
    <input name="homeless" value="4">
    """
    assert [form.fields for form in forms_of(page)] == [{"early": "1", "late": "2"}]


def test_a_field_without_a_name_or_value_is_sent_as_a_browser_would() -> None:
    page = '<form method="post"><input value="1"><input name="empty"></form>'
    assert forms_of(page)[0].fields == {"empty": ""}


def test_words_are_what_a_reader_sees() -> None:
    page = """
    <title>建议</title><style>p { color: red }</style><script>if (1 < 2) { go() }</script>
    <svg><title>icon</title></svg>
    <p>「作业」&nbsp;放到<b>周二</b>\n 第3–4节 &lt;吗&gt;？</p>
    """
    assert words_of(page) == "建议 「作业」 放到 周二 第3–4节 <吗>？"


def test_an_image_that_closes_itself_hides_nothing() -> None:
    assert words_of("<p>one <svg/> two</p>") == "one two"


@given(st.text(max_size=60))
def test_any_text_is_read_without_complaint(page: str) -> None:
    assert forms_of(page) == [] or "<form" in page.lower()
    words_of(page)
