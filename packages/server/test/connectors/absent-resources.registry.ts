/** Resources that the emulated people of a vendor do not have within some days, by provider. */
export const ABSENT: Readonly<Record<string, readonly string[]>> = {}
