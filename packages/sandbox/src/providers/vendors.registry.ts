import { abbottLibreview } from './abbott-libreview/libreview.ts'
import { dexcom } from './dexcom-v3/dexcom.ts'
import { fitbit } from './fitbit/fitbit.ts'
import { freestyleLibre } from './freestyle-libre/freestyle-libre.ts'
import { oura } from './oura/oura.ts'
import type { Vendor } from './vendor.ts'
import { whoop } from './whoop-v2/whoop.ts'

/** Every emulated provider: one folder and one row. */
export const VENDORS: readonly Vendor[] = [
  abbottLibreview,
  dexcom,
  fitbit,
  freestyleLibre,
  oura,
  whoop,
]
