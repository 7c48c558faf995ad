import type { PersonName } from './people.registry.ts'

type Method = 'walk_in_test' | 'at_home_phlebotomy' | 'testkit' | 'on_site_collection'

/** A step of an order, this many hours after the previous one. */
export type OrderStep = { after: number } & (
  | { to: string; interpretation?: 'abnormal' | 'critical'; detail?: string }
  | { act: 'cancel' | 'book site' | 'book visit' }
)

export interface DemoOrder {
  /** Name by which other parts of the filling find it. */
  name?: 'open' | 'done'
  person: PersonName
  /** Name of a ready lab test of every sandbox. */
  test: string
  method: Method
  /** Days ago. */
  placed: number
  isInsured?: true
  /** Number of days from today until which it waits. */
  activateIn?: number
  steps: readonly OrderStep[]
}

const DAY = 24
const METABOLIC = 'Comprehensive Metabolic Panel (CMP)'
const LIPIDS = 'Lipid Panel'
const A1C = 'Hemoglobin A1c'

/** Steps of a visit to a site, from the day of the order to the result. */
const walkedIn = (hours: number, more: object = {}): readonly OrderStep[] => [
  { after: 3, to: 'received.walk_in_test.requisition_created' },
  { after: hours, to: 'completed.walk_in_test.completed', ...more },
]

const kitOnItsWay = (to: 'with_customer' | 'transit_customer'): readonly OrderStep[] => [
  { after: 6, to: 'received.testkit.requisition_created' },
  { after: 20, to: 'collecting_sample.testkit.transit_customer' },
  ...(to === 'with_customer'
    ? [
        { after: 40, to: 'collecting_sample.testkit.out_for_delivery' },
        { after: 5, to: 'collecting_sample.testkit.with_customer' },
      ]
    : []),
]

const kitSent = (last: readonly OrderStep[]): readonly OrderStep[] => [
  ...kitOnItsWay('with_customer'),
  { after: 3 * DAY, to: 'collecting_sample.testkit.transit_lab' },
  ...last,
]

/**
 * Orders of the demo team with their steps, the oldest from half a year ago. Together they cover
 * every stage that a person who manages orders meets.
 */
export const ORDERS: readonly DemoOrder[] = [
  // Measured repeatedly, so that there is a trend.
  ...[172, 110, 52].flatMap((placed): DemoOrder[] => [
    { person: 'ines', test: LIPIDS, method: 'walk_in_test', placed, steps: walkedIn(44) },
  ]),
  ...[165, 96, 31].map((placed): DemoOrder => {
    const steps = walkedIn(50, { interpretation: 'abnormal' })
    return { person: 'omar', test: METABOLIC, method: 'walk_in_test', placed, steps }
  }),
  ...[140, 62].map((placed): DemoOrder => {
    const results = { after: 30, to: 'completed.testkit.completed', interpretation: 'abnormal' }
    const arrival = { after: 46, to: 'sample_with_lab.testkit.delivered_to_lab' }
    const steps = kitSent([arrival, results as OrderStep])
    return { person: 'omar', test: A1C, method: 'testkit', placed, steps }
  }),
  {
    person: 'aiko',
    test: 'Thyroid Panel',
    method: 'walk_in_test',
    placed: 40,
    steps: [...walkedIn(60), { after: 6 * DAY, to: 'completed.walk_in_test.corrected' }],
  },
  {
    name: 'done',
    person: 'sam',
    test: LIPIDS,
    method: 'walk_in_test',
    placed: 24,
    steps: walkedIn(70),
  },
  // In progress.
  {
    person: 'omar',
    test: METABOLIC,
    method: 'walk_in_test',
    placed: 2,
    steps: walkedIn(38, { interpretation: 'critical' }),
  },
  {
    person: 'ines',
    test: LIPIDS,
    method: 'walk_in_test',
    placed: 1,
    steps: [
      { after: 2, to: 'received.walk_in_test.requisition_created' },
      { after: 4, act: 'book site' },
    ],
  },
  {
    person: 'lena',
    test: 'General Wellness Panel',
    method: 'at_home_phlebotomy',
    placed: 33,
    isInsured: true,
    steps: [
      { after: 2, to: 'received.at_home_phlebotomy.requisition_created' },
      { after: 5, act: 'book visit' },
      { after: 5 * DAY, to: 'collecting_sample.at_home_phlebotomy.draw_completed' },
      { after: 40, to: 'completed.at_home_phlebotomy.completed' },
    ],
  },
  {
    person: 'lena',
    test: 'Vitamin D, 25-Hydroxy',
    method: 'at_home_phlebotomy',
    placed: 2,
    isInsured: true,
    steps: [
      { after: 2, to: 'received.at_home_phlebotomy.requisition_created' },
      { after: 20, act: 'book visit' },
    ],
  },
  {
    name: 'open',
    person: 'lena',
    test: LIPIDS,
    method: 'walk_in_test',
    placed: 6,
    steps: [{ after: 3, to: 'received.walk_in_test.requisition_created' }],
  },
  {
    person: 'aiko',
    test: 'Complete Blood Count (CBC) with Differential',
    method: 'walk_in_test',
    placed: 3,
    steps: [
      { after: 3, to: 'received.walk_in_test.requisition_created' },
      { after: 50, to: 'sample_with_lab.walk_in_test.partial_results' },
    ],
  },
  {
    person: 'tom',
    test: A1C,
    method: 'testkit',
    placed: 8,
    steps: kitSent([]),
  },
  {
    person: 'nora',
    test: 'Female Hormone Panel',
    method: 'testkit',
    placed: 2,
    steps: kitOnItsWay('transit_customer'),
  },
  {
    person: 'tom',
    test: 'Iron Panel',
    method: 'on_site_collection',
    placed: 1,
    steps: [
      { after: 1, to: 'received.on_site_collection.requisition_created' },
      { after: 6, to: 'sample_with_lab.on_site_collection.draw_completed' },
    ],
  },
  { person: 'aiko', test: LIPIDS, method: 'walk_in_test', placed: 0.1, steps: [] },
  { person: 'nora', test: LIPIDS, method: 'walk_in_test', placed: 1, activateIn: 12, steps: [] },
  // With problems.
  {
    person: 'sam',
    test: 'Complete Blood Count (CBC) with Differential',
    method: 'walk_in_test',
    placed: 12,
    steps: [
      { after: 3, to: 'received.walk_in_test.requisition_created' },
      { after: 52, to: 'failed.walk_in_test.sample_error', detail: 'sample_hemolyzed' },
    ],
  },
  {
    person: 'tom',
    test: 'Food Allergy Panel',
    method: 'testkit',
    placed: 26,
    steps: [
      ...kitOnItsWay('transit_customer'),
      { after: 3 * DAY, to: 'collecting_sample.testkit.problem_in_transit_customer' },
      { after: 4 * DAY, to: 'failed.testkit.failure_to_deliver_to_customer' },
    ],
  },
  {
    person: 'nora',
    test: A1C,
    method: 'testkit',
    placed: 45,
    steps: kitSent([{ after: 5 * DAY, to: 'failed.testkit.lost' }]),
  },
  {
    person: 'aiko',
    test: METABOLIC,
    method: 'walk_in_test',
    placed: 18,
    steps: [
      { after: 3, to: 'received.walk_in_test.requisition_created' },
      { after: 30, act: 'cancel' },
    ],
  },
]
