"""Language models at the table: prompts, answers, games by text, evaluation and training.

`Episode` is a game by text, on which everything else here stands.
"""

from .answers import AnswerError as AnswerError
from .answers import final_move as final_move
from .episode import MODEL as MODEL
from .episode import Answered as Answered
from .episode import Episode as Episode
from .prompts import Message as Message
from .prompts import Prompts as Prompts
from .rollout import Rollout as Rollout
from .rollout import Turn as Turn
from .rollout import rollouts as rollouts
from .setup import Setup as Setup
