"""Studies: many trainings and evaluations, set beside what a paper reports, claim by claim."""
