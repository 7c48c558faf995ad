import { abbottLibreview } from './abbott-libreview/libreview.ts'
import { freestyleLibre } from './freestyle-libre/freestyle-libre.ts'
import { garmin } from './garmin/garmin.ts'
import { oura } from './oura/oura.ts'
import type { Vendor } from './vendor.ts'
import { wahoo } from './wahoo/wahoo.ts'

/** Every emulated provider: one folder and one row. */
export const VENDORS: readonly Vendor[] = [abbottLibreview, freestyleLibre, garmin, oura, wahoo]
