import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.notification.domain.errors import WebhookUrlRefused
from services.notification.domain.url import BOT_HOSTS, check_bot_url, is_loopback

TOKEN = "0a1b2c3d-4e5f-6789-abcd-ef0123456789"
PATH = f"/open-apis/bot/v2/hook/{TOKEN}"
EXTRA = frozenset({"127.0.0.1:8090", "[::1]:8090", "localhost:8090", "feishu.test:8443"})


def problem(url: str, extra: frozenset[str] = frozenset()) -> str:
    with pytest.raises(WebhookUrlRefused) as refused:
        check_bot_url(url, extra_hosts=extra)
    assert refused.value.metadata == {"problem": refused.value.problem}
    assert TOKEN not in str(refused.value)
    return refused.value.problem


@pytest.mark.parametrize("host", ["open.feishu.cn", "open.larksuite.com", "OPEN.feishu.cn:443"])
def test_addresses_of_the_vendor_are_taken(host: str) -> None:
    checked = check_bot_url(f"https://{host}{PATH}")
    assert (checked.url, checked.token) == (f"https://{host}{PATH}", TOKEN)


def test_an_address_shows_neither_itself_nor_its_token() -> None:
    assert repr(check_bot_url(f"https://open.feishu.cn{PATH}")) == "WebhookUrl()"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (f"http://open.feishu.cn{PATH}", "not_https"),
        (f"ftp://open.feishu.cn{PATH}", "not_https"),
        (f"https://evil.example{PATH}", "host_not_allowed"),
        (f"https://open.feishu.cn.evil.example{PATH}", "host_not_allowed"),
        (f"https://evil-open.feishu.cn{PATH}", "host_not_allowed"),
        (f"https://open.feishu.cn.{PATH}", "host_not_allowed"),
        (f"https://127.0.0.1{PATH}", "host_not_allowed"),
        (f"https://10.0.0.1{PATH}", "host_not_allowed"),
        (f"https://[::1]{PATH}", "host_not_allowed"),
        (f"https://open.feishu.cn:8443{PATH}", "port_not_allowed"),
        (f"https://open.feishu.cn:{PATH}", "port_not_allowed"),
        (f"https://open.feishu.cn:0{PATH}", "port_not_allowed"),
        (f"https://open.feishu.cn:99999{PATH}", "malformed"),
        (f"https://open.feishu.cn:x{PATH}", "malformed"),
        (f"https://open.feishu.cn@evil.example{PATH}", "user_info"),
        (f"https://user:pw@open.feishu.cn{PATH}", "user_info"),
        (f"https://@open.feishu.cn{PATH}", "user_info"),
        (f"https://open.feishu%2ecn{PATH}", "malformed"),
        (f"https://evil.example\\@open.feishu.cn{PATH}", "malformed"),
        (f"https://open.feishu.cn\\{PATH}", "malformed"),
        (f"https://[::1{PATH}", "malformed"),
        (f"https:{PATH}", "malformed"),
        (f"https://оpen.feishu.cn{PATH}", "malformed"),
        (f"https://open.feishu.cn{PATH}\n", "malformed"),
        (f" https://open.feishu.cn{PATH}", "malformed"),
        (f"https://open.feishu.cn{PATH}{'a' * 500}", "malformed"),
        ("", "malformed"),
        ("open.feishu.cn", "malformed"),
        (f"https://open.feishu.cn{PATH}?a=b", "path_not_allowed"),
        (f"https://open.feishu.cn{PATH}?", "path_not_allowed"),
        (f"https://open.feishu.cn{PATH}#x", "path_not_allowed"),
        (f"https://open.feishu.cn{PATH}/", "path_not_allowed"),
        (f"https://open.feishu.cn{PATH}/../../x", "path_not_allowed"),
        (f"https://open.feishu.cn{PATH}%2f", "path_not_allowed"),
        (f"https://open.feishu.cn{PATH};x", "path_not_allowed"),
        (f"https://open.feishu.cn/{PATH}", "path_not_allowed"),
        ("https://open.feishu.cn/open-apis/bot/v2/hook/", "path_not_allowed"),
        ("https://open.feishu.cn/open-apis/bot/v2/hook/" + "a" * 129, "path_not_allowed"),
        ("https://open.feishu.cn/open-apis/im/v1/messages", "path_not_allowed"),
    ],
)
def test_any_other_address_is_refused_by_name_of_the_rule(url: str, expected: str) -> None:
    assert problem(url) == expected


@pytest.mark.parametrize("host", ["127.0.0.1:8090", "[::1]:8090", "localhost:8090"])
def test_an_exact_loopback_host_of_the_developer_setting_needs_no_tls(host: str) -> None:
    assert check_bot_url(f"http://{host}{PATH}", extra_hosts=EXTRA).token == TOKEN
    assert problem(f"http://{host}{PATH}") == "not_https"


def test_an_extra_host_elsewhere_needs_tls() -> None:
    assert check_bot_url(f"https://feishu.test:8443{PATH}", extra_hosts=EXTRA).token == TOKEN
    assert problem(f"http://feishu.test:8443{PATH}", EXTRA) == "not_https"


def test_an_extra_host_is_exact_in_its_port_and_keeps_the_path_rule() -> None:
    assert problem(f"http://127.0.0.1:8091{PATH}", EXTRA) == "not_https"
    assert problem(f"https://127.0.0.1{PATH}", EXTRA) == "host_not_allowed"
    assert problem("http://127.0.0.1:8090/standin/messages", EXTRA) == "path_not_allowed"


def test_loopback_is_told_without_a_resolver() -> None:
    assert is_loopback("127.8.9.1")
    assert not is_loopback("127.0.0.1.evil.example")


@given(st.text(max_size=80) | st.from_regex(r"https?://[ -~]{0,40}/open-apis/bot/v2/hook/[ -~]*"))
def test_whatever_is_taken_is_of_the_vendor(url: str) -> None:
    try:
        checked = check_bot_url(url)
    except WebhookUrlRefused:
        return
    scheme, _, rest = checked.url.partition("://")
    host, _, path = rest.partition("/")
    assert scheme.lower() == "https"
    assert host.lower().removesuffix(":443") in BOT_HOSTS
    assert path == f"open-apis/bot/v2/hook/{checked.token}"
