"""The schedule database: statements, and the values they give and take.

Every function works in the transaction that it is handed; none opens or commits one.
"""
