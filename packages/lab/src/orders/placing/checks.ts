/**
 * Runs one check of an order. Placing stops at the first refusal; validation collects all refusals
 * and gets undefined for the result of a failed check.
 * @param field field of the request that is checked
 */
export type Check = <T>(field: string, act: () => T | Promise<T>) => Promise<T | undefined>

/** The check of placing: it throws the first refusal. */
export const runCheck: Check = async (_field, act) => act()
