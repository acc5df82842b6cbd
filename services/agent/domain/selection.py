"""From an answer to a selection: words that are true of the choice, or the template's."""

from services.agent.domain import facts_check, title, wording
from services.agent.domain.situation import Answer, Candidate, Selection, Situation, Words
from services.agent.domain.text import Text

NO_MODEL = "no_model"
FACTS_MISMATCH = "facts_mismatch"
WORDS_UNFIT = "words_unfit"


def template(
    situation: Situation,
    *,
    reason: str,
    selected_id: str = "",
    model: str = "",
    fallback: bool = False,
) -> Selection:
    """The words that came with the candidates; the first one where no choice was made."""
    chosen = situation.candidate(selected_id) or next(iter(situation.candidates), None)
    return Selection(
        selected_id=chosen.id if chosen else "",
        words=_template_words(situation, chosen),
        model=model,
        fallback_used=fallback,
        template_reason=reason,
    )


def checked(situation: Situation, answer: Answer, *, model: str) -> Selection:
    """The model's choice, in its words where they are fit and true."""
    # Judged without the title: it is the person's own, whatever stands in it.
    masked = answer.words.each(lambda text: title.masked_where_written(text, situation.title))
    problem = _problem(situation, answer.selected_id, masked.each(title.blanked))
    if problem:
        return template(
            situation, reason=problem, selected_id=answer.selected_id, model=model, fallback=True
        )
    words = masked.each(lambda text: title.filled(text, situation.title))
    return Selection(answer.selected_id, words, model=model)


def _problem(situation: Situation, selected_id: str, words: Words) -> str:
    """Why the words cannot be shown; empty where they can."""
    if not wording.fits(words):
        return WORDS_UNFIT
    if not facts_check.holds(situation, situation.candidate(selected_id), words):
        return FACTS_MISMATCH
    return ""


def _template_words(situation: Situation, chosen: Candidate | None) -> Words:
    if chosen is None:
        notice = situation.notice
        return Words(summary=notice, reason=notice, risk=Text(), notification=notice)
    return Words(chosen.summary, chosen.reason, chosen.risk, chosen.summary)
