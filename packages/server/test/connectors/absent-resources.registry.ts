/** Resources that the emulated people of a vendor do not have within some days, by provider. */
export const ABSENT: Readonly<Record<string, readonly string[]>> = {
  // This person of Fitbit is well and has a regular heart.
  fitbit: ['body_temperature', 'heart_rate_alert'],
  // People may all be men.
  garmin: ['menstrual_cycle'],
  // Few people have an irregular rhythm, or take their temperature.
  google_health: ['body_temperature', 'heart_rate_alert'],
  // Polar serves exercises that were uploaded after the user had connected.
  polar: ['device', 'workout_stream', 'workouts'],
}

/** Providers without refresh tokens: a refused access token ends the connection. */
export const WITHOUT_REFRESH: ReadonlySet<string> = new Set(['polar', 'renpho'])

/** Names of the first user of a vendor, where it decides how much there is to pull. */
export const NAMES: Readonly<Record<string, string>> = {
  // The device of this person records one lead, not six.
  kardia: 'robin',
}
