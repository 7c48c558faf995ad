import { abbottLibreview } from './abbott-libreview/libreview.ts'
import { freestyleLibre } from './freestyle-libre/freestyle-libre.ts'
import { ihealth } from './ihealth/ihealth.ts'
import { oura } from './oura/oura.ts'
import { polar } from './polar/polar.ts'
import { ultrahuman } from './ultrahuman/ultrahuman.ts'
import type { Vendor } from './vendor.ts'
import { withings } from './withings/withings.ts'

/** Every emulated provider: one folder and one row. */
export const VENDORS: readonly Vendor[] = [abbottLibreview, freestyleLibre, oura, polar, ultrahuman]
export const VENDORS: readonly Vendor[] = [abbottLibreview, freestyleLibre, ihealth, oura, withings]

import { strava } from './strava/strava.ts'
import { whoop } from './whoop-v2/whoop.ts'
export const VENDORS: readonly Vendor[] = [abbottLibreview, freestyleLibre, oura, strava, whoop]
