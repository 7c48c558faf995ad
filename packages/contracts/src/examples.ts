const uuid = (number: number): string =>
  `5f0c0d6e-8a51-4c3b-9d27-${number.toString(16).padStart(12, '0')}`

/** Ids that examples use, so that one thing has one id wherever it is shown. */
export const EXAMPLE_IDS = {
  organization: uuid(1),
  team: uuid(2),
  user: uuid(3),
  key: uuid(4),
  device: uuid(5),
  job: uuid(6),
  workout: uuid(7),
  sleep: uuid(8),
  query: uuid(9),
  labTest: uuid(10),
  order: uuid(11),
  transaction: uuid(12),
  rawResult: uuid(13),
  run: uuid(14),
  webhook: uuid(15),
  labAccount: uuid(16),
  item: uuid(17),
  rule: uuid(18),
  episode: uuid(19),
  event: 'msg_01KHJ3W8Z5Q4N6T2R9B7C1D0EF',
  linkToken: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJleGFtcGxlIn0.c2lnbmF0dXJl',
  linkContinuation: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJleGFtcGxlIn0.Y29udGludWVk',
} as const

/** The person of examples, as orders and insurance want one. */
export const EXAMPLE_PERSON = {
  first_name: 'Ada',
  last_name: 'Moreau',
  dob: '1990-04-12',
  gender: 'female',
  phone_number: '+15555550100',
  email: 'ada.moreau@example.com',
}

/** The address of examples. */
export const EXAMPLE_ADDRESS = {
  first_line: '1 Main St',
  second_line: 'Apt 4',
  city: 'Phoenix',
  state: 'AZ',
  zip: '85004',
  country: 'US',
}

/** A booking key as examples show one. */
export const EXAMPLE_BOOKING_KEY = 'AQBppwngaacl_GmnB3I4NTAwNDlu5J5dyAc4pRWpdA'
