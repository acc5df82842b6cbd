"""Signs in a clause of what it asks for, looked for where what is quoted is hidden."""

import re

from services.agent.domain import locate_words, note_words

_VERB = (
    r"(?:做|写|交|弄|搞|赶|复习|预习|看|读|背|刷|练|改|抄|算|画|整理|提交|上交|填|买|取|还|洗|打印)"
)
_DENIES = (
    r"(?:不用|不要|别|不必|不需要|无需|用不着|先别|先不|没让你|没叫你|不是(?:让|叫|要)你|停止|取消|关掉|不想让你|do\s*n[o']t|don'?t|no\s+need\s+to"
    r"|stop|never)"
)
_QUESTION = re.compile(
    r"[?？]\s*$|(?:吗|么|没有?)\s*[?？!！。]*\s*$|(?<!没)什么(?!都|也)|哪[些个天门节里儿一周项种]|在哪|(?<![这那好前近过后])几[点号个项门节天周件]|多少(?!有点)|多久|怎么(?!也|都|这么|那么)|怎样|如何|为什么|为啥|谁"
    r"|有没有|是不是|会不会|要不要|该不该|\b(?:what|which|when|where|how|who|why)\b|^\s*(?:do|does|did|is|are|am|was|have|has|should|will)\b",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"^\s*(?:你|smartmate|助手)?[,，\s]*(?:(?:能不能|可不可以|能否|可否|是否可以|能|可以|麻烦你?|请你?|劳烦)(?:帮我|帮忙|给我|替我|再|先|把|提醒|安排|排|记|将)"
    r"|(?:can|could|would|will)\s+you\b|please\b)",
    re.IGNORECASE,
)
_HYPOTHETICAL = re.compile(
    r"如果|要是|假如|假设|万一|倘若|的话|等(?:我|到)?[^,，。]{0,12}(?:了|完|之后|以后)|\b(?:if|suppose|in\s+case|what\s+if)\b",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"(?:^|[\s,，。])(?:我的?)?(?:他|她|它们|他们|她们|室友|同学|同桌|老师|队友|组员|朋友|学姐|学长|助教|大家|别人|有人|妈妈|爸爸|小[明红华李王张]|你(?:刚才|刚|上次|昨天)?(?:没|又|怎么)|(?:he|she|they|my\s+\w+mate)\b)"
    r"(?![^,，。]{0,6}(?:让|叫|要求|催)我)",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"(?:你好|您好|嗨|哈喽|hi|hello|hey|早上好|早安|早|中午好|下午好|晚上好|晚安|在吗|在不在|谢谢你?|多谢|感谢|辛苦了?|thanks?(?:\s+you)?|thank\s+you|拜拜|再见|bye"
    r"|好的?|嗯|哦|行|收到|知道了|明白了?|了解了?|哈|ok(?:ay)?|没事了?|没什么|smartmate|助手|[呀啊哦哈吧呢~～!！。.,，\s])+",
    re.IGNORECASE,
)
_CAPABILITY = re.compile(
    r"你(?:是谁|叫什么|能(?:做|干|帮我做)(?:些|点)?什么|会(?:些|做)?什么|可以(?:做|帮我做)(?:些)?什么|有(?:什么|哪些)功能|怎么用|能不能做)|(?:怎么|如何)(?:使用|用)你"
    r"|有什么功能|使用说明|^help$|what\s+can\s+you\s+do|who\s+are\s+you",
    re.IGNORECASE,
)
_DECLINED = re.compile(
    rf"{_DENIES}\s*(?:再|你|帮我|给我|替我|一直|老|总|to\s+)*"
    r"(?:提醒|通知我|叫我|喊我|记(?!得)|加任务|建任务|添加|安排了?$|安排吧|排了?$|排期|规划了?$|计划了?$|动了?$|挪了?$|移了?$|改了?$|remind|note|add|plan|schedule|move)"
    r"|(?:提醒|安排|计划|规划)(?:就)?(?:不用|不必|不需要|取消)了?$",
    re.IGNORECASE,
)
_REMEMBER = re.compile(
    r"^\s*(?:请|麻烦)?(?:你)?(?:帮我|给我|要|一定要|也)?(?:记住|记牢|牢记)(?!了)|^\s*(?:please\s+)?(?:remember|keep\s+in\s+mind)\b(?:\s+that)?"
    r"|^\s*(?:请|麻烦)?你?要?知道[,，:：]|以后(?:都|请|要)?记[得住](?!了)",
    re.IGNORECASE,
)
_ABOUT_MEMORY = re.compile(
    r"记(?:住|得)(?:了)?(?:些)?(?:什么|哪些|多少)|还记得|记住了(?:吗|没)|忘(?:掉|记)(?:我|之前|刚才|那)|别再?记着|do\s+you\s+remember|what\s+do\s+you\s+(?:know|remember)|forget\s+(?:that|what|my)",
    re.IGNORECASE,
)
_TASKS = (
    r"(?:作业|任务|事情?|活儿?|课|安排|日程|ddl|deadlines?|待办|考试|计划|课表|清单|东西|要做的|要交的"
    r"|tasks?|assignments?|homework|classes|to-?dos?|schedule)"
)
_QUERY = re.compile(
    rf"有(?:哪些|什么|啥|几[个项门节件]|多少)|(?:哪些|什么|啥|几[个项门节件]|多少){_TASKS}|(?:什么时候|啥时候|几点|几号|哪天|哪一天|何时|多久后?|哪周|星期几|周几)"
    r"|(?:要|该|得)(?:交|做|写|完成|复习|学|上)(?:些|点)?(?:什么|啥|哪)"
    rf"|还(?:有|剩|差|欠)(?:哪些|什么|啥|多少|几|没)|(?:没|未)(?:做|写|交|完成|弄)?完?成?的(?:{_TASKS})?(?:有|是|还有)|最(?:急|紧急|重要|近|早)(?:要?交|到期|截止)?的"
    rf"|(?:^|帮我|给我|请|想)\s*(?:查(?:一?下|看|一查|询)?|看(?:一?下|看)|列(?:一?下|出|举)?|显示|展示|告诉我|给我看|说说|念)[^,，。]{{0,14}}{_TASKS}|{_TASKS}(?:清单|列表|一览)"
    r"|有空(?:吗|么|没)|有没有空|空闲(?:时间|时段)?(?:有|是|在)?(?:哪|什么|多少|几)|(?:哪|什么|几)[^,，。]{0,6}空|忙不忙|忙吗|[有没]课(?:吗|么|没)|有没有课|怎么安排的|排在(?:哪|什么|几)|排到(?:哪|什么|几)|安排在(?:哪|什么|几)"
    r"|\b(?:what|which|how\s+many)\b[^.?!]{0,30}\b(?:tasks?|assignments?|homework|due|class(?:es)?|do|left|have|schedule[d]?)\b"
    r"|\bwhen\s+(?:is|are|do|does|must|should)\b|\b(?:list|show)\b[^.?!]{0,20}\b(?:tasks?|assignments?|deadlines?|schedule|to-?dos?)\b|\bam\s+i\s+free\b",
    re.IGNORECASE,
)
_STATUS = re.compile(
    rf"(?:{_VERB}|完成|搞定)(?:完|好|掉)?了?(?:吗|没有?|么)\s*[?？]?\s*$", re.IGNORECASE
)
_ASKED_IN_TITLE = re.compile(
    r"问|请教|查|确认|打听|看看|想想|了解|核对|讨论|\bask\b|\bcheck\b", re.IGNORECASE
)
_DONE = re.compile(
    rf"(?<![没未不快])(?<!还没)(?:{_VERB}(?:完|好|掉|齐|上去)了?|(?:交|提交|上交|完成|搞定|弄完|弄好)了|(?:做|写)了|搞定|收工)"
    rf"(?=\s*(?:$|[!！。~～啦呀啊哈,，、]|嘞|咯))|(?:^|我|已经|终于|总算|刚刚?|刚才|今天|都)把?{_VERB}(?:完|好|掉)了?[^,，。没不]{{1,20}}了\s*[!！。]*$"
    r"|已经?(?:做|写|交|完成|提交|搞定|弄|复习|看|背)(?:完|好|过|掉)?(?:了|$)"
    r"|(?:标记?|设|改|算|记)(?:为|成|作)?[^,，。]{0,10}(?:已完成|完成|做完)|(?:打|画)[个]?[勾钩√]|划掉|勾掉|完成(?:了)?[「《“▢]"
    r"|^\s*完成了?(?=[\u3400-\u9fffA-Za-z])(?!时间|日期|度|率|情况|前|之|后)|\b(?:i(?:'ve|\s+have)?\s+)?(?:just\s+)?(?:finished|completed|submitted|handed\s+in)\b"
    r"|\b(?:is|are|'s)\s+done\b|\bmark\b[^.!?]{0,40}\b(?:done|complete[d]?)\b|\bdone\s+with\b|^\s*done\b",
    re.IGNORECASE,
)
_NOT_DONE_YET = re.compile(
    r"快(?:要)?(?:做|写|交|弄|复习|看|背)|差不多|马上就?(?:做|写|弄)|才(?:能|会)|以为|应该(?:能|会)|争取|希望|打算|准备|想要?|要(?:是|不)|得(?:做|写|交)|必须|需要|尽快|之前|以前"
    r"|[前内]\s*(?:把|要|得|交|写|做|完成)|明[天早晚]|后天|下周|\b(?:will|almost|going\s+to|need\s+to|have\s+to|want\s+to)\b",
    re.IGNORECASE,
)
_PLAN = re.compile(
    r"排(?:进|入|上去|一下|一排|个|好|出来|到我?的?日程|开|期|满)|(?:帮我|给我|替我|重新|再|把[^,，。]{1,24}|来|先|一起|都)(?:安排|排|规划|计划)(?!的|了[吗没])|重排|重新(?:安排|规划)|安排(?:一下|进|到|上|复习|学习|时间)"
    r"|(?:制定|制订|做|列|定|写|生成|来|给我)(?:一?个|一?份|出|一下)?[^,，。]{0,16}计划(?!书)|规划(?:一下|复习|学习|时间)|(?:复习|学习|备考)计划"
    r"|\b(?:plan|schedule|arrange)\b\s+(?:my|the|these|all|out|some|a|for|revision|everything)|\b(?:make|create|build)\s+(?:me\s+)?an?\s+(?:\w+\s+)?plan\b|\bfit\b[^.!?]{0,30}\binto\b",
    re.IGNORECASE,
)
_CONSTRAINT = re.compile(
    r"(?:别|不要|不|避开|避免|不能|不想|先别|尽量不|尽量别)(?:再)?(?:安排|排|放)|(?:空出来|留出来|留给|空着|腾出来)|\b(?:nothing|not)\s+on\b|\b(?:avoid|keep)\b",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"(?:挪|移|调|换|改|推|提前|推迟|延后|延期|顺延|放)(?:一?下)?(?:到|至|去|在|成|回)|往[前后](?:挪|移|推|调|放|排)|(?:交换|对调|互换|调换|换一?下)|调整(?:一下)?|均匀|铺开|平均(?:一点|分)|分散|松一?点|轻松一?点"
    r"|太[满挤密散]|[少多]排|排得?太多|太集中|堆在|挤在|空出来|腾出来|(?:取消|撤销|撤掉|撤下|去掉|删[掉除了]?|移除|拿掉)[^,，。]{0,16}|恢复(?:成|到)?|"
    r"\b(?:move|shift|swap|exchange|spread|balance|clear|free\s+up|remove|delete|cancel|put)\b",
    re.IGNORECASE,
)
_THIS_ONE = re.compile(
    r"这一?[个项节块段件]|那一?[个项节块段件]|刚才|刚刚|上一[个项节块]|下一[个项节块]|下个(?!周|月|星期|学期)|手头|正在|\b(?:this|that|the\s+(?:last|next))\s+(?:one|block|task)?\b",
    re.IGNORECASE,
)
_DESTINED = re.compile(r"(?:挪|移|调|换|改|推|推迟|延后|延期|延|顺延|放|排)(?:一?下)?(?:到|至)")
_STRONGLY = re.compile(
    r"[撑顶扛]不|吃不消|熬不|不行了|学不[动下]|崩溃|exhausted|can'?t\s+(?:go\s+on|take)",
    re.IGNORECASE,
)
_MUST = re.compile(
    rf"要|得|需要|必须|记得|把[^,，。]{{1,20}}(?:了|完|好)|去(?![了过])|参加|见面|吃饭|聚|考|{_VERB}完|完成|交|截止|到期|提交|考试|[测考]验|面试|答辩|开会|ddl|deadline|\bdue\b|\bmust\b|\bneed\s+to\b|\bhave\s+to\b",
    re.IGNORECASE,
)
_TAKEN = re.compile(r"没空|有事|有课|不行|不方便|没时间|\bbusy\b", re.IGNORECASE)
_GO_ON = re.compile(
    r"(?:那就|请)?(?:继续|接着)(?:来|排|吧|调整|优化)*|go\s+on|continue|carry\s+on", re.IGNORECASE
)
_NOUN_BEHIND = re.compile(r"的(?!那|这|话|\s*$|[,，。!！])")


_TELLS = re.compile(
    r"没|不|刚|上次|怎么|为什么|已经|总|老是|一直|谁|[他她]|老师|妈|爸|同学|室友|\b(?:not|did|why|he|she|they)\b",
    re.IGNORECASE,
)
"""Ahead of 提醒: told of, not asked for."""


def is_question(clause: str) -> bool:
    """Whether it asks; 能帮我排一下吗 is a request."""
    return _QUESTION.search(clause) is not None and _POLITE.match(clause) is None


def is_greeting(text: str) -> bool:
    return _GREETING.fullmatch(text.strip()) is not None


def asks_what_this_is(text: str) -> bool:
    """你能做什么."""
    return _CAPABILITY.search(text) is not None


def is_declined(clause: str) -> bool:
    """不用提醒我, 先别排了: what must not be done; 提醒我别迟到 is none."""
    match = _DECLINED.search(clause)
    if match is None:
        return False
    asks = note_words.ASKS.search(clause)
    return asks is None or asks.start() >= match.start()


def asks_to_remember(text: str) -> bool:
    """记住…, for ever."""
    return _REMEMBER.search(text) is not None


def is_about_memory(text: str) -> bool:
    """Asks what is remembered, or to forget it: there is a page for that."""
    return _ABOUT_MEMORY.search(text) is not None


def asks_for_note(clause: str, shown: str) -> bool:
    """Whether it asks for a note or a reminder; `shown` is the clause with its times blanked."""
    match = note_words.ASKS.search(clause)
    if match is None:
        return False
    ahead = shown[: match.start()]
    return _TELLS.search(ahead) is None


def asks_within_note(clause: str) -> bool:
    """提醒我概率论什么时候交 asks; 提醒我问老师什么时候答疑 does not."""
    match = note_words.ASKS.search(clause)
    rest = clause[match.end() :] if match else clause
    return is_query(rest) and is_question(rest) and _ASKED_IN_TITLE.search(rest) is None


def is_query(clause: str) -> bool:
    """Whether it asks for tasks or the schedule."""
    if _POLITE.match(clause) and not _QUERY.search(clause):
        return False
    return _QUERY.search(clause) is not None or _STATUS.search(clause) is not None


def is_hypothetical(text: str) -> bool:
    return _HYPOTHETICAL.search(text) is not None


def is_of_others(clause: str) -> bool:
    """室友做完了: nobody's business here."""
    return _OTHERS.search(clause) is not None


def is_done(clause: str) -> bool:
    """Whether it tells that something is done."""
    return _DONE.search(clause) is not None and _NOT_DONE_YET.search(clause) is None


def complaint(clause: str) -> locate_words.Complaint | None:
    """Feedback that it gives: none where 没做完的 only names tasks, or where a place is named to
    which something other than the block at hand is to go."""
    found = locate_words.complaint(clause)
    if found is locate_words.Complaint.UNFINISHED:
        match = locate_words.UNFINISHED.search(clause)
        return None if match and _NOUN_BEHIND.match(clause, match.end()) else found
    if found is locate_words.Complaint.DELAY and _DESTINED.search(clause):
        return found if _THIS_ONE.search(clause) else None
    return found


def is_strong(clause: str) -> bool:
    """Whether it can be nothing but feedback: 撑不住了, not 好累."""
    return (
        _STRONGLY.search(clause) is not None
        or locate_words.complaint(clause) is locate_words.Complaint.UNFINISHED
        or _THIS_ONE.search(clause) is not None
    )


def goes_on(text: str) -> bool:
    """继续: with the plan that there is."""
    return _GO_ON.fullmatch(text.strip(" ,，。.!！")) is not None


def asks_for_plan(clause: str) -> bool:
    return _PLAN.search(clause) is not None


def is_constraint(clause: str) -> bool:
    """别排周日: how to plan, not that."""
    return _CONSTRAINT.search(clause) is not None


def tells_a_time_taken(text: str) -> bool:
    """周二晚上不行: of a plan that is on the table."""
    return _TAKEN.search(text) is not None


def asks_for_change(clause: str) -> bool:
    """Of what is planned already."""
    return _CHANGE.search(clause) is not None


def tells_a_duty(clause: str) -> bool:
    """周五要交英语作文, without asking for a note."""
    return _MUST.search(clause) is not None
