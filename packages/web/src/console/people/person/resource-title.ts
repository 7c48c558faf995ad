/** Titles that are not the words of the name. */
const TITLES: Record<string, string> = {
  heartrate: 'Heart rate',
  hrv: 'Heart rate variability',
  blood_oxygen: 'Blood oxygen',
  vo2_max: 'VO₂ max',
  ige: 'IgE',
  igg: 'IgG',
  uv_exposure: 'UV exposure',
  sleep_cycle: 'Sleep stages',
  workout_stream: 'Workout details',
  fat: 'Body fat',
  weight: 'Body weight',
  afib_burden: 'AFib burden',
}

/** Returns the title of a series or summary. */
export function resourceTitle(resource: string): string {
  const words = resource.replaceAll('_', ' ')
  return TITLES[resource] ?? words.charAt(0).toUpperCase() + words.slice(1)
}
