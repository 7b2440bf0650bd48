def draw(s, seat): raise NotImplementedError
