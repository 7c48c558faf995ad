import { abbottLibreview } from './abbott-libreview/libreview.ts'
import { freestyleLibre } from './freestyle-libre/freestyle-libre.ts'
import { oura } from './oura/oura.ts'
import { polar } from './polar/polar.ts'
import { suunto } from './suunto/suunto.ts'
import { ultrahuman } from './ultrahuman/ultrahuman.ts'
import type { Vendor } from './vendor.ts'

/** Every emulated provider: one folder and one row. */
export const VENDORS: readonly Vendor[] = [
  abbottLibreview,
  freestyleLibre,
  oura,
  polar,
  suunto,
  ultrahuman,
]
