/**
 * Account at an emulated provider, as docs/sandbox.md#people describes it: the account identifies
 * the person.
 */
interface VendorAccount {
  provider: 'oura' | 'abbott_libreview'
  account: string
}

export interface DemoPerson {
  client_user_id: string
  time_zone: string
  info: {
    first_name: string
    last_name: string
    gender: 'female' | 'male'
    dob: string
    address: { first_line: string; city: string; state: string; zip: string }
  }
  vendors?: readonly VendorAccount[]
  /** Account of Oura whose life a phone and a watch also record. */
  phoneOf?: string
  /** Measurements of a cuff in the morning, around these values in mmHg. */
  bloodPressure?: readonly [systolic: number, diastolic: number]
  /** A provider of demo connections, with 30 days of data. */
  demo?: 'fitbit'
  /** Problem of the user. */
  trouble?: 'access ended' | 'wrong password' | 'unreadable items'
}

const inChicago = (first_line: string) =>
  ({ first_line, city: 'Chicago', state: 'IL', zip: '60614' }) as const
const inDenver = (first_line: string) =>
  ({ first_line, city: 'Denver', state: 'CO', zip: '80202' }) as const

/**
 * Users of the demo team. None of them exists; telephone numbers and e-mail addresses are from
 * ranges that are not assigned. The first one is filled first and has the most data.
 */
export const PEOPLE = {
  ines: {
    client_user_id: 'demo-ines',
    time_zone: 'America/Chicago',
    info: {
      first_name: 'Ines',
      last_name: 'Walker',
      gender: 'female',
      dob: '1998-02-11',
      address: inChicago('2101 North Clark Street'),
    },
    vendors: [{ provider: 'oura', account: 'ines.walker27' }],
    phoneOf: 'ines.walker27',
    bloodPressure: [112, 72],
  },
  omar: {
    client_user_id: 'demo-omar',
    time_zone: 'America/Chicago',
    info: {
      first_name: 'Omar',
      last_name: 'Haddad',
      gender: 'male',
      dob: '1978-06-30',
      address: inChicago('845 West Fullerton Avenue'),
    },
    vendors: [{ provider: 'abbott_libreview', account: 'omar.haddad17@example.com' }],
    bloodPressure: [138, 88],
    trouble: 'unreadable items',
  },
  aiko: {
    client_user_id: 'demo-aiko',
    time_zone: 'America/Denver',
    info: {
      first_name: 'Aiko',
      last_name: 'Tanaka',
      gender: 'female',
      dob: '1986-09-03',
      address: inDenver('1550 Blake Street'),
    },
    vendors: [{ provider: 'oura', account: 'aiko.tanaka2+travel' }],
  },
  sam: {
    client_user_id: 'demo-sam',
    time_zone: 'America/Denver',
    info: {
      first_name: 'Sam',
      last_name: 'Rivera',
      gender: 'male',
      dob: '1989-01-19',
      address: inDenver('600 17th Street'),
    },
    vendors: [{ provider: 'oura', account: 'sam.rivera36' }],
    trouble: 'access ended',
  },
  tom: {
    client_user_id: 'demo-tom',
    time_zone: 'America/Chicago',
    info: {
      first_name: 'Tom',
      last_name: 'Nguyen',
      gender: 'male',
      dob: '1995-11-24',
      address: inChicago('1060 West Addison Street'),
    },
    demo: 'fitbit',
  },
  lena: {
    client_user_id: 'demo-lena',
    time_zone: 'America/Chicago',
    info: {
      first_name: 'Lena',
      last_name: 'Fischer',
      gender: 'female',
      dob: '1971-04-08',
      address: inChicago('3400 North Halsted Street'),
    },
  },
  nora: {
    client_user_id: 'demo-nora',
    time_zone: 'America/Denver',
    info: {
      first_name: 'Nora',
      last_name: 'Lindqvist',
      gender: 'female',
      dob: '2001-07-15',
      address: inDenver('1701 Wynkoop Street'),
    },
    trouble: 'wrong password',
  },
} as const satisfies Record<string, DemoPerson>

export type PersonName = keyof typeof PEOPLE
/** Ids of users by their name in the table. */
export type UserIds = Readonly<Record<PersonName, string>>

export const PHONE_NUMBER = '+13125550142'

/** Returns an address at example.com, where no mail arrives. */
export const emailOf = ({ info }: DemoPerson): string =>
  `${info.first_name}.${info.last_name}@example.com`.toLowerCase()
