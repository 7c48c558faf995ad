import type { VendorPages } from '../vendor-pages.registry.ts'

/** Records in the form of answers in public clients of the vendor, with invented values. */

const PUMP = '1b493210-9336-4901-a329-a352775738c5'

const event = (
  sequenceNumber: number,
  eventCode: number,
  pumpDateTime: string,
  eventProperties: object,
) => ({
  deviceAssignmentId: PUMP,
  eventCode,
  sequenceGroup: 0,
  sequenceNumber,
  pumpDateTime,
  eventProperties,
  estimatedDateTime: `${pumpDateTime}Z`,
})

export const TANDEM_EVENTS = [
  event(394_641, 64, '2026-02-05T11:57:38', {
    bolusId: 1423,
    bolusType: 3,
    correctionBolusIncluded: 0,
    carbAmount: 50,
    bg: 164,
    iob: 1.82,
    carbRatio: 0,
  }),
  event(394_643, 66, '2026-02-05T11:57:38', {
    bolusId: 1423,
    foodBolusSize: 8.33,
    correctionBolusSize: 0,
    totalBolusSize: 8.330001,
  }),
  event(394_675, 20, '2026-02-05T12:01:53', {
    completionStatus: 3,
    bolusId: 1423,
    iob: 10.088287,
    insulinDelivered: 8.33,
    insulinRequested: 8.33,
  }),
  event(394_680, 399, '2026-02-05T12:05:31', {
    glucoseValueStatus: 0,
    cgmDataType: [0],
    rate: -6,
    algorithmState: 32,
    rssi: -78,
    currentGlucoseDisplayValue: 167,
    egvTimeStamp: 571_147_528,
    egvInfoBitmask: [0, 5, 6, 7, 8, 11, 12],
    interval: 0,
  }),
  event(394_690, 279, '2026-02-05T12:06:00', {
    commandedRateSource: 3,
    commandedRate: 1279,
    profileBasalRate: 1000,
    algorithmRate: 1279,
    tempRate: 65_535,
  }),
  event(394_699, 279, '2026-02-05T12:11:00', {
    commandedRateSource: 0,
    commandedRate: 0,
    profileBasalRate: 1000,
    algorithmRate: 0,
    tempRate: 65_535,
  }),
]

export const TANDEM_PAGES: Readonly<Record<string, VendorPages>> = {
  events: {
    records: [
      {
        assignmentId: PUMP,
        availableDataRange: { start: '2025-05-06T12:31:19', end: '2026-02-07T22:45:58' },
        maxDateOfEvents: '2026-02-07T22:45:58',
        lastUploadDate: '2026-02-07T23:05:12Z',
        modelNumber: '1000354',
        serialNumber: '90000000',
        softwareVersion: '7.8.0.0',
        settings: null,
      },
    ],
    page: (pumps) => ({ country: 'US', pumps }),
    details: [{ events: TANDEM_EVENTS, clockChanges: [] }],
  },
}
