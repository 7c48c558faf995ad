import type { VendorPages } from '../vendor-pages.registry.ts'

/** A reading in the form that public clients of Dexcom Share show, with invented values. */
export const DEXCOM_SHARE_PAGES: Readonly<Record<string, VendorPages>> = {
  readings: {
    records: [
      {
        WT: 'Date(1770369155817)',
        ST: 'Date(1770369155817)',
        DT: 'Date(1770369155817-0800)',
        Value: 119,
        Trend: 'Flat',
      },
    ],
    page: (records) => records,
  },
}
