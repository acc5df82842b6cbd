"""A decent planner: reads the messages of a turn and acts by what the tools say.

Knows nothing that the messages do not tell, and answers the same for the same messages. A scope it
settles from the person's words, a plan it betters by checked candidates until the tools say that
it is done; a wish it carries out step by step, finding its own thoughts again in the loop.
"""
