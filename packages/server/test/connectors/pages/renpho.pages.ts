import type { VendorPages } from '../vendor-pages.registry.ts'

/** A measurement in the form of the app's service, constructed with invented values. */
export const RENPHO_MEASUREMENT = {
  // Whole numbers of the answer that are too long become texts.
  id: '2139876543210987654',
  userId: '2132938788905981073',
  timeStamp: 1_770_188_400,
  timeZone: 'GMT+8',
  weight: 70,
  bmi: 23.4,
  bodyfat: 22.5,
  water: 55.1,
  muscle: 47.8,
  sinew: 51.8,
  bone: 2.8,
  protein: 17.6,
  subfat: 19.9,
  visfat: 7,
  bmr: 1512,
  bodyage: 39,
  fatFreeWeight: 54.25,
  heartRate: 66,
  deviceType: '02D3',
  mac: 'ED:67:27:12:34:56',
  scaleName: 'ES-CS20M',
  internalModel: '0A7E',
}

export const RENPHO_PAGES: Readonly<Record<string, VendorPages>> = {
  measurements: { records: [RENPHO_MEASUREMENT], page: (records) => records },
}
