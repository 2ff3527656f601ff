"""What was decided: picks, allocations, placements and outcomes, and the independent checker of all of them."""
