import { oura } from './oura/oura.ts'
import type { Vendor } from './vendor.ts'

/** Every emulated vendor: one folder and one row. */
export const VENDORS: readonly Vendor[] = [oura]
