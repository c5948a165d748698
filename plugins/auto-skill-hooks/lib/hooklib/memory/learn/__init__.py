"""What is learnt without being asked: failures and what resolved them, decisions, habits."""
