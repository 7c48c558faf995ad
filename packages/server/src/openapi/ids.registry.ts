const uuid = (number: number): string =>
  `5f0c0d6e-8a51-4c3b-9d27-${number.toString(16).padStart(12, '0')}`

/** Ids of examples, so that an object has the same id wherever it is shown. */
export const IDS = {
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
  event: 'msg_01KHJ3W8Z5Q4N6T2R9B7C1D0EF',
  linkToken: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJleGFtcGxlIn0.c2lnbmF0dXJl',
} as const
