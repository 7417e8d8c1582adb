/** Distinguishes the tool configuration of a run from its other fields: the contract calls it optional and shows no name. */

/** Whether a field of a run's body configures tools. */
export const isToolField = (name: string): boolean => /tool/i.test(name)
