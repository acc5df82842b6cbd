"""The schedule tools: the only border between a model and the plan.

Pure: a tool is handed a `PlanningState` and arguments, and gives a text for the model, a typed
part for programs, and the state as it is afterwards. Imports the standard library, pydantic and
libs.planning alone. Spec: tools.md.
"""
