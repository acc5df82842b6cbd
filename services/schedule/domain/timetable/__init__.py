"""Timetable files: read them, and tell what they would change.

`formats.read` reads a file in one of the known forms (`zhengfang`, `wakeup`), `diff.diff`
compares its rows with the stored courses. Both are pure. Nothing is ever guessed, clipped or
dropped in silence: what is not understood comes back as a `problems.RowProblem`, a file that is
no timetable as `problems.UnreadableFile`, a difference in the calendar as
`problems.FileWarning`.
"""
