import { abbottLibreview } from './abbott-libreview/libreview.ts'
import { beurer } from './beurer/beurer.ts'
import { dexcom } from './dexcom-v3/dexcom.ts'
import { eightSleep } from './eight-sleep/eight-sleep.ts'
import { fitbit } from './fitbit/fitbit.ts'
import { freestyleLibre } from './freestyle-libre/freestyle-libre.ts'
import { garmin } from './garmin/garmin.ts'
import { googleHealth } from './google-health/google-health.ts'
import { ihealth } from './ihealth/ihealth.ts'
import { kardia } from './kardia/kardia.ts'
import { myFitnessPal } from './my-fitness-pal/my-fitness-pal.ts'
import { oura } from './oura/oura.ts'
import { polar } from './polar/polar.ts'
import { renpho } from './renpho/renpho.ts'
import { strava } from './strava/strava.ts'
import { suunto } from './suunto/suunto.ts'
import { ultrahuman } from './ultrahuman/ultrahuman.ts'
import type { Vendor } from './vendor.ts'
import { wahoo } from './wahoo/wahoo.ts'
import { whoopLegacy } from './whoop/whoop-legacy.ts'
import { whoop } from './whoop-v2/whoop.ts'
import { withings } from './withings/withings.ts'

/** Every emulated provider: one folder and one row. */
export const VENDORS: readonly Vendor[] = [
  abbottLibreview,
  beurer,
  dexcom,
  eightSleep,
  fitbit,
  freestyleLibre,
  garmin,
  googleHealth,
  ihealth,
  kardia,
  myFitnessPal,
  oura,
  polar,
  renpho,
  strava,
  suunto,
  ultrahuman,
  wahoo,
  whoop,
  whoopLegacy,
  withings,
]
