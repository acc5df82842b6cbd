"""Words of the conversation that no model writes: Chinese first, English beside it where a page
shows both."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from services.agent.domain.known import LeftOut, Refusal
from services.agent.domain.scope import Scope
from services.agent.domain.text import Text
from services.agent.graph.plan import Plan
from services.agent.tools import words as tool_words

_SHOWN = 6

READING = Text("在看你说的话", "Reading what you said")
PLANNING = Text("在定范围和步骤", "Settling the scope")
BUILDING = Text("在粗排", "Building a first plan")
BUILT = Text("粗排完成，每一项都有位置", "Every item has a place")
REMEMBERED_NOT_KEPT = Text(
    "记住的时段这次没法都空出来", "Not all the times you want kept free could be"
)
DELIVERING = Text("在核对", "Checking")
LOCATING = Text("在看说的是哪一项", "Finding which block is meant")
LOOKING = Text("在看接下来有没有位置", "Looking for room")
ACCEPTED = Text("已接受", "Accepted")
REJECTED = Text("没有接受", "Not accepted")
ANSWERED = Text("已回答", "Answered")

RULES_GO_ON: Mapping[str, Text] = {
    "no_model": Text(
        "没有配置模型，由规则和固定的话来完成", "No model is configured; rules do the work"
    ),
    "model_unavailable": Text(
        "模型暂时用不了，剩下的由规则完成", "The model is not usable now; rules do the rest"
    ),
}
CAPABILITIES = (
    "可以把任务类排进日程（例如“把概率论复习排进去，别排周日”）、"
    "记任务（“提醒我下周日前交概率论作业”）、查任务、记住你的偏好；"
    "有安排没做完，说一声就帮你找补上的时间。"
)
CANNOT_READ = f"没有听懂要做什么。{CAPABILITIES}"
DIRECT_REPLIES: Mapping[str, str] = {
    "greeting": f"你好。{CAPABILITIES}",
    "capability": CAPABILITIES,
    "declined": "好，不动日程。",
    "nothing_said": CANNOT_READ,
    "nothing_asked": CANNOT_READ,
    "about_memory": "记住的内容在“记忆”页，可以查看和删除。想让我记住什么，说“记住……”。",
    "hypothetical": "还没有改动任何东西。想真的这样安排，直接说出来就行。",
    "about_others": "这件事我改不了。要记下来，就说“提醒我……”。",
}
SAY_YES_OR_NO = "没有看懂。要写入就说“接受”，不要就说“不要”，想改就直接说怎么改。"
SAY_WHICH = "没有看懂说的是哪一个。选一个，或者换种说法。"
WHICH_BLOCK = "说的是哪一项？"
NO_BLOCKS = "前后24小时内没有任务安排，没有可以补的。要排别的，直接说。"
TOLD = "已经交给主动调度去看，方案在这张卡片里；同意了才会改日程。"
LOOK_CLOSED = "看过了，现在不需要改动，日程保持原样。"
LOOK_LATE = "还在看接下来的空档，结果会出现在预览列表里，也会发消息给你。"
LOOK_FAILED = "这次没能看成，日程保持原样。过一会儿再说一次。"
LOOK_AT_THE_WEEK = "课和空闲在“本周”页一眼能看到；要往里排任务，直接说。"
WHICH_TASK = "说的是哪一条任务？"
NO_SUCH_TASK = "没有找到这样的未完成任务。说一下任务的标题试试。"
WHAT_TO_REMEMBER = "要记住什么？说“记住……”，后面接内容。"
MEMORY_FULL = "记住的内容已经满了，先在“记忆”页删掉几条。"
NOT_WRITTEN = "好，没有写入。"
REMEMBERED = "记住了：{text}"
COMPLETED_TASK = "标为完成：「{title}」。"
NOTHING_WAITS = "没有待安排的任务：每个任务类的条目都已经有位置或已完成。"
NO_CLASSES = "还没有任务类。先在“任务类”页建一个，写上条目和起止日期，再来排。"
GIVEN_UP = "这次没有做成，日程保持原样。"
NO_QUESTION = "action 为 ask_user 时，speak 须是问学生的话，不说没有发生的事"
ASKED_BEFORE = "这个问题已经问过，学生的回答在简报里；照它做决定"
NOTHING_TO_CHANGE = "看过了，现在的安排没有需要改的地方，日程保持原样。"
DECLINED = "好，不写入，日程保持原样。"
PLAN_BETWEEN = "排一下："
ASK_DATES = (
    "这些任务类还没有起止日期，没法知道排到哪几天。从哪天到哪天？"
    "也可以先在“任务类”页填好，再告诉我。"
)
NO_WINDOW = "这些任务类的日期不在任何学期内，没有可以排的天。改一下日期或学期再试。"
ORDER_BROKEN = "核对时发现方案内部不一致，这次没有给出方案，日程保持原样。请再说一次。"
STILL_PENDING = "还有{count}项没有位置，这次没有给出方案，日程保持原样。"
TOO_MANY = "一次最多写入{most}处改动，这次有{count}处。把范围分成几次来排。"
SCHEDULE_CHANGED = "日程在这期间一直在变，这次没有写成，日程保持原样。请再说一次。"
AWAY = "日程服务暂时连不上，这次没有写入任何东西。过一会儿再说一次。"
REFUSED = "日程服务没有接受这次请求，日程保持原样。"
DEFECT = "这里出了差错，已经记下。日程保持原样，请再说一次。"
UNCERTAIN = "没有等到日程服务的答复，还不知道是否写成。再点一次“接受”会查清楚，不会重复写入。"
WRITTEN = "已写入日程，共{count}处改动。"
EXHAUSTED: Mapping[str, str] = {
    "rounds": "这次调整的轮数用完了，还没有收尾。没有写入任何东西；说“继续”就从这里接着来。",
    "seconds": "这次用的时间到了上限，还没有收尾。没有写入任何东西；说“继续”就从这里接着来。",
    "tokens": "这次用的模型额度到了上限，还没有收尾。没有写入任何东西；说“继续”就从这里接着来。",
}


def noted(titles: Sequence[str]) -> str:
    return f"记下了：{'；'.join(titles)}。"


def correction(problem: str) -> str:
    """What the model is told about an answer that cannot be used."""
    return f"上一个输出不能用：{problem}。按第2条重新输出一个 JSON 对象。"


def unknown_tool(name: str, names: Iterable[str]) -> str:
    return f"没有名为“{tool_words.cut(name)}”的工具，可用工具为 {'、'.join(names)}"


def infeasible(explanation: str) -> str:
    """Why a rough build has no place for some."""
    return f"按现在的范围排不下：{explanation.strip()} 日程保持原样。"


def no_window(classes: Sequence[LeftOut]) -> str:
    """Why every class was left out."""
    return f"没有可以排的任务类：{_left_out(classes)}。日程保持原样。"


def left_out(classes: Sequence[LeftOut]) -> Text:
    return Text(f"这次没有排：{_left_out(classes)}", f"Left out: {len(classes)}")


def _left_out(classes: Sequence[LeftOut]) -> str:
    return "、".join(f"「{_name(one.name)}」（{one.reason}）" for one in classes[:_SHOWN])


def dropped(lines: Sequence[str]) -> Text:
    """What of a plan fell because the schedule had moved on."""
    more = f" 等共{len(lines)}项" if len(lines) > _SHOWN else ""
    told = "；".join(lines[:_SHOWN]) + more
    return Text(f"日程变过，这些预排作废：{told}", f"{len(lines)} suggestions no longer fit")


def refused(refusals: Sequence[Refusal]) -> Text:
    reasons = "；".join(dict.fromkeys(one.reason for one in refusals))
    return Text(
        f"没有写成：{reasons}。在新的日程上重新核对", "Refused; checking against the new schedule"
    )


def proposal(plan: Plan, *, by_rules: bool) -> str:
    """What is asked before writing, from the difference alone."""
    shifts = plan.difference.shifts
    days = sorted({span.day for one in shifts for span in one.after.slots})
    new = sum(1 for one in shifts if not one.before.slots)
    moved = sum(1 for one in shifts if one.before.slots and one.after.slots)
    gone = sum(1 for one in shifts if one.before.slots and not one.after.slots)
    parts = [f"新排{new}项"] if new else []
    parts += [f"移动{moved}项"] if moved else []
    parts += [f"移出{gone}项"] if gone else []
    span = ""
    if days:
        first, last = plan.date_of(days[0]), plan.date_of(days[-1])
        span = f"，从{day(first)}到{day(last)}" if first != last else f"，在{day(first)}"
    kept = "，" + "，".join(f"{one}没有排" for one in free(plan.scope)) if free(plan.scope) else ""
    how = "没有用模型，按规则排出：" if by_rules else ""
    return f"{how}{'，'.join(parts)}{span}{kept}。接受后写入日程。"


def steps_proposal(speak: str) -> str:
    return speak or "先按这些步骤来，可以吗？"


def day(on: date) -> str:
    """12月7日 周一."""
    return f"{on.month}月{on.day}日 {tool_words.WEEKDAYS[on.weekday()]}"


def free(scope: Scope) -> Sequence[str]:
    """What stays free, in words."""
    found = [tool_words.weekdays(scope.excluded_days)] if scope.excluded_days else []
    found += [f"第{tool_words.sections(*one)}节" for one in scope.excluded_sections]
    found += [
        f"{tool_words.weekdays((weekday,))}第{tool_words.sections(first, last)}节"
        for weekday, first, last in scope.excluded_limits
    ]
    found += [day(one) for one in scope.excluded_dates]
    return found + (["记住的时段"] if scope.remembered else [])


def _name(name: str) -> str:
    return tool_words.cut(name, 30)
