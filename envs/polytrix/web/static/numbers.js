// Numbers as text.

/** A number with its sign. */
export const signed = (number) => `${number < 0 ? "−" : "+"}${Math.abs(number).toFixed(2)}`;

/** A payoff with its sign, and no more digits than it needs. */
export const payoffText = (payoff) => (Math.abs(payoff) < 0.005 ? "0" : signed(payoff).replace(/\.?0+$/, ""));
