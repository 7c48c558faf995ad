import type { VendorPages } from '../vendor-pages.registry.ts'

/** Constructed in the form that public clients of the vendor read, with invented values. */

const RECORD = {
  DataSource: 'FromDevice',
  LastChangeTime: 1_770_731_000,
  Lat: -1,
  Lon: -1,
  Note: '',
  TimeZone: '-0800',
}

/** A page has the units of its records. */
export const ihealthPage = (
  list: string,
  records: readonly unknown[],
  units: object = {},
): unknown => ({
  [list]: records,
  ...units,
  CurrentRecordCount: records.length,
  NextPageUrl: '',
  PageLength: 50,
  PageNumber: 1,
  PrevPageUrl: '',
  RecordCount: records.length,
})

const listed = (list: string, units: object, record: object): VendorPages => ({
  records: [{ ...RECORD, ...record }],
  page: (records) => ihealthPage(list, records, units),
})

/** 10 February, 07:30:00 by the clock of the place. */
const LOCAL = 1_770_708_600

export const IHEALTH_PAGES: Readonly<Record<string, VendorPages>> = {
  bp: listed(
    'BPDataList',
    { BPUnit: 0 },
    {
      DataID: 'bp-1',
      MDate: LOCAL,
      HP: 124,
      LP: 81,
      HR: 63,
      IsArr: 0,
      BPL: 2,
    },
  ),
  glucose: listed(
    'BGDataList',
    { BGUnit: 0 },
    {
      DataID: 'bg-1',
      MDate: LOCAL,
      BG: 96,
      DinnerSituation: 'Before_breakfast',
      DrugSituation: 'Before_taking_pills',
    },
  ),
  weight: listed(
    'WeightDataList',
    { WeightUnit: 1 },
    {
      DataID: 'w-1',
      MDate: LOCAL,
      WeightValue: 160,
      BMI: 23.4,
      FatValue: 21.5,
      MuscaleValue: 120,
      BoneValue: 6.4,
      WaterValue: 55.5,
      DCI: 1900,
    },
  ),
  spo2: listed('BODataList', {}, { DataID: 'bo-1', MDate: LOCAL, BO: 97, HR: 66 }),
  activity: listed(
    'ARDataList',
    { DistanceUnit: 0 },
    {
      DataID: 'ar-1',
      MDate: LOCAL,
      Calories: 2100,
      Steps: 8300,
      DistanceTraveled: 6.125,
    },
  ),
  sleep: listed(
    'SRDataList',
    {},
    {
      DataID: 'sr-1',
      StartTime: LOCAL - 27_000,
      EndTime: LOCAL,
      HoursSlept: 420,
      Awaken: 3,
      FallSleep: 12,
      SleepEfficiency: 93,
    },
  ),
}
