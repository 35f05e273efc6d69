"""How Chinese and English text is read: normal forms, search terms, numbers, money, dates, hedges, cues.

Pure functions over strings, below every stage: the gate, the recognisers and the parser of questions read
with the same eyes.
"""
