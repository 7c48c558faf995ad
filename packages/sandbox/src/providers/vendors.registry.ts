import { abbottLibreview } from './abbott-libreview/libreview.ts'
import { beurer } from './beurer/beurer.ts'
import { dexcomShare } from './dexcom-share/dexcom-share.ts'
import { dexcom } from './dexcom-v3/dexcom.ts'
import { eightSleep } from './eight-sleep/eight-sleep.ts'
import { fitbit } from './fitbit/fitbit.ts'
import { freestyleLibre } from './freestyle-libre/freestyle-libre.ts'
import { garmin } from './garmin/garmin.ts'
import { googleHealth } from './google-health/google-health.ts'
import { hammerhead } from './hammerhead/hammerhead.ts'
import { ihealth } from './ihealth/ihealth.ts'
import { kardia } from './kardia/kardia.ts'
import { myFitnessPal } from './my-fitness-pal/my-fitness-pal.ts'
import { oura } from './oura/oura.ts'
import { peloton } from './peloton/peloton.ts'
import { polar } from './polar/polar.ts'
import { renpho } from './renpho/renpho.ts'
import { strava } from './strava/strava.ts'
import { suunto } from './suunto/suunto.ts'
import { tandemSource } from './tandem-source/tandem-source.ts'
import { ultrahuman } from './ultrahuman/ultrahuman.ts'
import type { Vendor } from './vendor.ts'
import { wahoo } from './wahoo/wahoo.ts'
import { whoopLegacy } from './whoop/whoop-legacy.ts'
import { whoop } from './whoop-v2/whoop.ts'
import { withings } from './withings/withings.ts'
import { zwift } from './zwift/zwift.ts'

/** Every emulated provider: one folder and one row. */
export const VENDORS: readonly Vendor[] = [
  abbottLibreview,
  beurer,
  dexcom,
  dexcomShare,
  eightSleep,
  fitbit,
  freestyleLibre,
  garmin,
  googleHealth,
  hammerhead,
  ihealth,
  kardia,
  myFitnessPal,
  oura,
  peloton,
  polar,
  renpho,
  strava,
  suunto,
  tandemSource,
  ultrahuman,
  wahoo,
  whoop,
  whoopLegacy,
  withings,
  zwift,
]
