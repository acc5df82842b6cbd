"""Timetable files: read them, and tell what they would change.

`zhengfang.parse` reads a file, `diff.diff` compares its rows with the stored courses. Both are
pure. Nothing is ever guessed, clipped or dropped in silence: what is not understood comes back
as a `problems.RowProblem`, a file that is no timetable as `problems.UnreadableFile`.
"""
