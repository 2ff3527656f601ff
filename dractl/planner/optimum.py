"""The optimum: the joint model's answer, carried out and checked like the prediction."""
