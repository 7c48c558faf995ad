/**
 * Makes one check of an order. Placing goes on only where none refuses, validating keeps every
 * refusal and has undefined for what the check would have found.
 * @param field what of the request it is about
 */
export type Check = <T>(field: string, act: () => T | Promise<T>) => Promise<T | undefined>

/** For placing: the first refusal is thrown. */
export const insist: Check = async (_field, act) => act()
