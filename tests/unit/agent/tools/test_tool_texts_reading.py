"""What a model reads when it looks: the forms of the source, wording and lines."""

from libs.planning.order import Span
from libs.planning.state import Status
from services.agent.tools import registry
from services.agent.tools.result import (
    Candidate,
    Candidates,
    Overlap,
    Overview,
    RangeView,
    TaskList,
)
from tests.unit.agent.tools.plans import (
    EXISTING,
    PENDING,
    SUGGESTED,
    WEEK,
    course,
    done,
    plan,
    says,
    task,
    window,
)


def test_the_overview_counts_courses_and_tells_every_task_with_its_status_and_place() -> None:
    assert says(WEEK, "get_overview") == [
        "规划窗口共13天，每天12个时段，总计156个时段。",
        "当前已占用24个，空闲132个。待安排任务3个。",
        "课程3门，共占14个时段，以下只计数。",
        "",
        "每日概况：",
        "第1天：占6/12 — 课程4 [2]英语(3-4节,已安排)",
        "第2天：占4/12 — [5]物理(3-6节,已安排)",
        "第3天：占0/12",
        "第4天：占6/12 — 课程2 [6]线代(3-4节,已预排) [8]程序设计(9-10节,已预排)",
        "第5-6天：占0/12",
        "第7天：占2/12 — 课程2",
        "第8天：占2/12 — 课程2",
        "第9天：占0/12",
        "第10天：占4/12 — 课程4",
        "第11-13天：占0/12",
        "",
        "可嵌入时段：第7天 [10]思政(1-2节)",
        "待安排：[3]复习线代(需3时段) [7]写实验报告(需2时段) [9]小组讨论(需2时段)",
    ]
    assert registry.call(WEEK, "get_overview", {}).facts == Overview(
        total_days=13,
        total_sections=156,
        occupied=24,
        free=132,
        begun=0,
        courses=3,
        pending=(3, 7, 9),
        host_places=((10, Span(7, 1, 2)),),
    )


def test_the_overview_of_a_window_that_has_begun_says_what_is_past_and_where_guests_sit() -> None:
    state = plan(
        course(1, "思政", (1, 1, 2), (3, 1, 4), embeds=True),
        task(2, "背单词", "英语", SUGGESTED, (3, 1, 2), host=1),
        in_window=window(3, open_from=(2, 5)),
    )

    assert says(state, "get_overview") == [
        "规划窗口共3天，每天12个时段，总计36个时段。",
        "当前已占用6个，空闲16个，已过14个。待安排任务0个。",
        "课程1门，共占6个时段，以下只计数。",
        "",
        "每日概况：",
        "第1天：占2/12 — 课程2",
        "第2天：占0/12",
        "第3天：占4/12 — 课程4 [2]背单词(嵌入1-2节,已预排)",
        "",
        "可嵌入时段：第3天 [1]思政(3-4节)",
        "待安排：无",
    ]


def test_an_empty_window_is_told_in_full() -> None:
    assert says(plan(in_window=window(2)), "get_overview") == [
        "规划窗口共2天，每天12个时段，总计24个时段。",
        "当前已占用0个，空闲24个。待安排任务0个。",
        "",
        "每日概况：",
        "第1-2天：占0/12",
        "",
        "可嵌入时段：无",
        "待安排：无",
    ]


def test_many_places_in_courses_are_counted_beyond_the_twelfth() -> None:
    state = plan(
        course(1, "思政", *((day, 1, 2) for day in range(1, 15)), embeds=True),
        in_window=window(14),
    )

    line = says(state, "get_overview")[-2]

    assert line.startswith("可嵌入时段：第1天 [1]思政(1-2节)、第2天 [1]思政(1-2节)、")
    assert line.endswith("第12天 [1]思政(1-2节) 等共14处")


def test_a_whole_day_is_told_in_blocks_and_pairs() -> None:
    assert says(WEEK, "query_range", {"day": 4}) == [
        "第4天 全天：",
        "",
        "第1-2节：[1]高等数学（固定）",
        "第3-4节：[6]线代",
        "第5-6节：空",
        "第7-8节：空",
        "第9-10节：[8]程序设计",
        "第11-12节：空",
        "",
        "连续空闲区：第5-8节(4时段)、第11-12节(2时段)",
        "可嵌入：第1-2节已有[1]高等数学（固定，不可嵌入）",
        "硬冲突：无",
        "可嵌入并存：无",
    ]
    assert registry.call(WEEK, "query_range", {"day": 4}).free_runs == (
        Span(4, 5, 8),
        Span(4, 11, 12),
    )


def test_a_free_part_of_a_day_is_told_section_by_section() -> None:
    assert says(WEEK, "query_range", {"day": 4, "slot_start": 5, "slot_end": 8}) == [
        "第4天 第5-8节：",
        "",
        "第5节：空",
        "第6节：空",
        "第7节：空",
        "第8节：空",
        "",
        "该范围4个时段全部空闲。",
    ]


def test_a_part_of_a_day_that_is_not_free_says_how_much_of_it_is() -> None:
    assert says(WEEK, "query_range", {"day": 4, "slot_start": 2, "slot_end": 5}) == [
        "第4天 第2-5节：",
        "",
        "第2节：[1]高等数学（固定）",
        "第3节：[6]线代",
        "第4节：[6]线代",
        "第5节：空",
        "",
        "该范围4个时段，空闲1个：第5节。",
        "硬冲突：无",
        "可嵌入并存：无",
    ]
    full = says(WEEK, "query_range", {"day": 4, "slot_start": 3, "slot_end": 3})
    assert full[-3] == "该范围1个时段，空闲0个。"


def test_a_guest_in_its_host_is_no_conflict_and_a_real_one_stands_apart() -> None:
    state = plan(
        course(1, "思政", (1, 1, 4), embeds=True),
        task(2, "背单词", "英语", SUGGESTED, (1, 1, 2), host=1),
        task(3, "数学作业", "数学", EXISTING, (1, 7, 9)),
        task(4, "旧的重复", "数学", EXISTING, (1, 9, 10)),
    )

    result = registry.call(state, "query_range", {"day": 1})

    assert result.text.split("\n") == [
        "第1天 全天：",
        "",
        "第1-2节：[1]思政（可嵌入） + [2]背单词（嵌入）",
        "第3-4节：[1]思政（可嵌入）",
        "第5-6节：空",
        "第7-8节：[3]数学作业",
        "第9节：[3]数学作业 + [4]旧的重复",
        "第10节：[4]旧的重复",
        "第11-12节：空",
        "",
        "连续空闲区：第5-6节(2时段)、第11-12节(2时段)",
        "可嵌入：第1-4节已有[1]思政（可嵌入，空位为第3-4节）",
        "硬冲突：第9节 [3]数学作业 与 [4]旧的重复",
        "可嵌入并存：第1-2节 [1]思政 与 [2]背单词",
    ]
    assert result.facts == RangeView(
        Span(1, 1, 12),
        (1, 2, 3, 4),
        (Overlap(Span(1, 9, 9), 3, 4),),
        (Overlap(Span(1, 1, 2), 1, 2),),
    )


def test_a_full_host_and_sections_that_have_begun_are_told_as_they_are() -> None:
    state = plan(
        course(1, "思政", (1, 5, 6), embeds=True),
        task(2, "背单词", "英语", SUGGESTED, (1, 5, 6), host=1),
        in_window=window(1, open_from=(1, 4)),
    )

    assert says(state, "query_range", {"day": 1}) == [
        "第1天 全天：",
        "",
        "第1-2节：已过",
        "第3节：已过",
        "第4节：空",
        "第5-6节：[1]思政（可嵌入） + [2]背单词（嵌入）",
        "第7-8节：空",
        "第9-10节：空",
        "第11-12节：空",
        "",
        "连续空闲区：第4节(1时段)、第7-12节(6时段)",
        "可嵌入：第5-6节已有[1]思政（可嵌入，当前无空位）",
        "硬冲突：无",
        "可嵌入并存：第5-6节 [1]思政 与 [2]背单词",
    ]


def test_a_day_without_anything_has_no_line_about_overlaps() -> None:
    assert says(WEEK, "query_range", {"day": 3})[-3:] == [
        "",
        "连续空闲区：第1-12节(12时段)",
        "可嵌入：无",
    ]


def test_candidates_go_by_the_load_of_their_day_and_then_by_time() -> None:
    state = plan(
        course(1, "高等数学", (1, 1, 2), (2, 1, 8)),
        task(2, "英语", "学习", EXISTING, (3, 1, 2)),
        course(3, "思政", (3, 3, 4), embeds=True),
        in_window=window(3),
    )

    result = registry.call(state, "find_first_free", {"duration": 2, "top_k": 6})

    assert result.text.split("\n") == [
        "满足2个连续空闲时段的候选位置：",
        "",
        "1. 第1天 第3-4节（当天占用2/12 → 4/12，不嵌入）",
        "2. 第1天 第5-6节（当天占用2/12 → 4/12，不嵌入）",
        "3. 第1天 第7-8节（当天占用2/12 → 4/12，不嵌入）",
        "4. 第1天 第9-10节（当天占用2/12 → 4/12，不嵌入）",
        "5. 第1天 第11-12节（当天占用2/12 → 4/12，不嵌入）",
        "6. 第3天 第3-4节（当天占用4/12 → 4/12，嵌入[3]思政，该时段当前无嵌入任务）",
    ]
    assert isinstance(result.facts, Candidates)
    assert result.facts.best[0] == Candidate(Span(1, 3, 4), 2, 4)
    assert result.facts.best[5] == Candidate(Span(3, 3, 4), 4, 4, host_id=3)
    assert result.facts.best[5].load_change == 0


def test_three_candidates_are_told_unless_more_are_wanted() -> None:
    assert len(says(WEEK, "find_first_free", {"duration": 2})) == 2 + 3
    assert len(says(WEEK, "find_first_free", {"duration": 2, "top_k": 1})) == 2 + 1


def test_candidates_do_not_bridge_breaks_unless_told_to() -> None:
    state = plan(course(1, "实验", (1, 1, 3), (1, 6, 12)), in_window=window(1))

    apart = says(state, "find_first_free", {"duration": 2})
    across = says(state, "find_first_free", {"duration": 2, "exclude_breaks": False})

    assert apart == [
        "没有满足2个连续空闲时段的位置。",
        "最长连续空闲区：第1天 第4节（1时段）",
    ]
    assert across == [
        "满足2个连续空闲时段的候选位置：",
        "",
        "1. 第1天 第4-5节（当天占用10/12 → 12/12，不嵌入）",
    ]


def test_no_candidate_at_all_is_said_with_the_day_that_was_asked_about() -> None:
    full = plan(course(1, "实验", (1, 1, 12)), in_window=window(1))

    assert says(full, "find_first_free", {"duration": 1, "day": 1}) == [
        "第1天没有满足1个连续空闲时段的位置。",
        "最长连续空闲区：无",
    ]
    assert says(WEEK, "find_first_free", {"duration": 5, "day": 4}) == [
        "第4天没有满足5个连续空闲时段的位置。",
        "最长连续空闲区：第4天 第5-8节（4时段）",
    ]


def test_what_has_begun_is_no_candidate() -> None:
    state = plan(in_window=window(2, open_from=(1, 11)))

    assert says(state, "find_first_free", {"duration": 2})[2:] == [
        "1. 第1天 第11-12节（当天占用0/12 → 2/12，不嵌入）",
        "2. 第2天 第1-2节（当天占用0/12 → 2/12，不嵌入）",
        "3. 第2天 第3-4节（当天占用0/12 → 2/12，不嵌入）",
    ]


def test_the_old_name_answers_the_same() -> None:
    assert registry.call(WEEK, "find_free", {"duration": 3}) == registry.call(
        WEEK, "find_first_free", {"duration": 3}
    )


def test_pending_tasks_are_listed_with_what_they_need() -> None:
    assert says(WEEK, "list_tasks", {"status": "pending"}) == [
        "待安排任务共3个：",
        "",
        "[3]复习线代 — 需3个连续时段，类别：学习",
        "[7]写实验报告 — 需2个连续时段，类别：作业",
        "[9]小组讨论 — 需2个连续时段，类别：学习",
    ]


def test_all_tasks_are_listed_by_status() -> None:
    result = registry.call(WEEK, "list_tasks", {})

    assert result.text.split("\n") == [
        "共10个任务，已安排5个，已预排2个，待安排3个。",
        "",
        "已安排：",
        "[1]高等数学(课程,固定) — 第1天(1-2节) 第4天(1-2节) 第8天(1-2节)",
        "[2]英语(学习) — 第1天(3-4节)",
        "[4]体育(课程,固定) — 第1天(5-6节) 第10天(1-4节)",
        "[5]物理(作业) — 第2天(3-6节)",
        "[10]思政(课程,可嵌入) — 第7天(1-2节)",
        "",
        "已预排：",
        "[6]线代(学习) — 第4天(3-4节)",
        "[8]程序设计(作业) — 第4天(9-10节)",
        "",
        "待安排：",
        "[3]复习线代(学习) — 需3时段",
        "[7]写实验报告(作业) — 需2时段",
        "[9]小组讨论(学习) — 需2时段",
    ]
    assert result.facts == TaskList(
        (
            (Status.EXISTING, (1, 2, 4, 5, 10)),
            (Status.SUGGESTED, (6, 8)),
            (Status.PENDING, (3, 7, 9)),
        )
    )


def test_without_a_rough_plan_the_list_speaks_of_two_statuses() -> None:
    state = plan(course(1, "高等数学", (1, 1, 2)), task(3, "复习线代", "学习", PENDING, duration=3))

    assert says(state, "list_tasks") == [
        "共2个任务，已安排1个，待安排1个。",
        "",
        "已安排：",
        "[1]高等数学(课程,固定) — 第1天(1-2节)",
        "",
        "待安排：",
        "[3]复习线代(学习) — 需3时段",
    ]


def test_a_category_and_a_status_narrow_the_list() -> None:
    assert says(WEEK, "list_tasks", {"category": "学习"}) == [
        "类别“学习”：共4个任务，已安排1个，已预排1个，待安排2个。",
        "",
        "已安排：",
        "[2]英语(学习) — 第1天(3-4节)",
        "",
        "已预排：",
        "[6]线代(学习) — 第4天(3-4节)",
        "",
        "待安排：",
        "[3]复习线代(学习) — 需3时段",
        "[9]小组讨论(学习) — 需2时段",
    ]
    assert says(WEEK, "list_tasks", {"category": "作业", "status": "suggested"}) == [
        "类别“作业”：已预排任务共1个：",
        "",
        "[8]程序设计(作业) — 第4天(9-10节)",
    ]
    assert says(WEEK, "list_tasks", {"category": "课程", "status": "pending"}) == [
        "类别“课程”：待安排任务共0个。"
    ]


def test_a_course_of_many_weeks_is_one_line_that_counts_its_meetings() -> None:
    state = plan(
        course(1, "高等数学", *((day, 1, 2) for day in range(1, 10))), in_window=window(13)
    )

    assert says(state, "list_tasks", {"status": "existing"})[-1] == (
        "[1]高等数学(课程,固定) — 第1天(1-2节) 第2天(1-2节) 第3天(1-2节) 第4天(1-2节) "
        "第5天(1-2节) 第6天(1-2节) 等共9处"
    )


def test_a_course_is_told_with_its_places() -> None:
    assert says(WEEK, "get_task_info", {"task_id": 1}) == [
        "[1]高等数学",
        "类别：课程 | 状态：已安排（固定）",
        "来源：课程表",
        "占用时段：",
        "第1天 第1-2节",
        "第4天 第1-2节",
        "第8天 第1-2节",
    ]


def test_a_course_that_takes_guests_is_told_with_them() -> None:
    assert says(WEEK, "get_task_info", {"task_id": 10}) == [
        "[10]思政",
        "类别：课程 | 状态：已安排",
        "来源：课程表",
        "可嵌入：是（允许在此时段嵌入其他任务）",
        "占用时段：",
        "第7天 第1-2节",
        "当前嵌入任务：无",
    ]
    hosting = done(WEEK, "place", task_id=7, day=7, slot_start=1)
    assert says(hosting, "get_task_info", {"task_id": 10})[-1] == (
        "当前嵌入任务：[7]写实验报告(第7天第1-2节)"
    )
    assert says(hosting, "get_task_info", {"task_id": 7}) == [
        "[7]写实验报告",
        "类别：作业 | 状态：已预排",
        "来源：任务项",
        "占用时段：",
        "第7天 第1-2节",
        "嵌入宿主：[10]思政",
    ]


def test_an_item_is_told_with_its_position_and_where_it_may_lie() -> None:
    state = plan(
        task(1, "第一章", "线代", EXISTING, (2, 1, 2), of=(7, 1)),
        task(2, "第二章", "线代", SUGGESTED, (4, 1, 2), of=(7, 2)),
        task(3, "第三章", "线代", PENDING, of=(7, 5)),
        task(4, "第四章", "线代", SUGGESTED, (9, 3, 4), of=(7, 6)),
        task(5, "散步", "生活", EXISTING, (9, 5, 6)),
    )

    assert says(state, "get_task_info", {"task_id": 2}) == [
        "[2]第二章",
        "类别：线代 | 状态：已预排",
        "来源：任务项",
        "占用时段：",
        "第4天 第1-2节",
        "类内顺序：第2项，共4项",
        "可放范围：晚于第2天第1-2节、早于第9天第3-4节",
    ]
    assert says(state, "get_task_info", {"task_id": 3}) == [
        "[3]第三章",
        "类别：线代 | 状态：待安排",
        "来源：任务项",
        "需要时段：2个连续时段",
        "类内顺序：第3项，共4项",
        "可放范围：晚于第4天第1-2节、早于第9天第3-4节",
    ]
    assert says(state, "get_task_info", {"task_id": 1})[2] == "来源：日程（任务项）"
    assert says(state, "get_task_info", {"task_id": 5})[2] == "来源：日程"


def test_a_task_that_is_not_there_is_refused_with_the_numbers_that_are() -> None:
    assert says(WEEK, "get_task_info", {"task_id": 99}) == [
        "查询失败：没有编号为99的任务，task_id 须为现有编号（1到10）。"
    ]
    assert says(plan(), "get_task_info", {"task_id": 1}) == [
        "查询失败：没有编号为1的任务，当前没有任何任务。"
    ]
