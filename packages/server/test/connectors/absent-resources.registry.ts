/** Resources that the emulated people of a vendor do not have within some days, by provider. */
export const ABSENT: Readonly<Record<string, readonly string[]>> = {
  // The person is a man.
  garmin: ['menstrual_cycle'],
}
