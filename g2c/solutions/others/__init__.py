"""Other good solutions, for who has one: a folder an exercise. `g2c solution` shows them."""
