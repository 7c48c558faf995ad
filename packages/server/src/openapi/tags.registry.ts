export const TAG_GROUPS = ['People', 'Health data', 'Laboratories', 'Administration'] as const

export interface Tag {
  name: string
  group: (typeof TAG_GROUPS)[number]
  description: string
}

/** Tag of all deprecated operations, whatever their original tag was. */
export const DEPRECATED_TAG = 'Deprecated'

/** Tags in the order in which a new user needs them. */
export const TAGS: readonly Tag[] = [
  {
    name: 'Users',
    group: 'People',
    description: 'Users, who are the people whose data a team holds, and their demographics.',
  },
  {
    name: 'Connections',
    group: 'People',
    description: 'Providers, and the connections of each user to them.',
  },
  {
    name: 'Mobile',
    group: 'People',
    description:
      'Sign-in of apps on phones for a user, and the settings and reports of their synchronization.',
  },
  {
    name: 'Data rights',
    group: 'People',
    description:
      'Exports of all data of a user, erasure with a receipt, retention rules, and legal holds.',
  },
  {
    name: 'Portal',
    group: 'People',
    description: 'Links to the page of a user, its sessions, shares, and what it requests.',
  },
  {
    name: 'Tasks',
    group: 'People',
    description: 'Results, reviews, orders and connections that wait for a person of the team.',
  },
  {
    name: 'Assistants',
    group: 'People',
    description:
      'Requests of assistants that use the Model Context Protocol, with a key or a token.',
  },
  {
    name: 'Ingestion',
    group: 'Health data',
    description: 'Uploads of samples and summaries, and the items that could not be stored.',
  },
  {
    name: 'Imports',
    group: 'Health data',
    description: 'Imports of export files, which are processed in the background.',
  },
  {
    name: 'Time series',
    group: 'Health data',
    description: 'Samples of each series, by source or with all sources merged.',
  },
  {
    name: 'Summaries',
    group: 'Health data',
    description: 'Days of activity, sleeps, workouts, meals, cycles and body measurements.',
  },
  {
    name: 'Source priorities',
    group: 'Health data',
    description: 'Priorities of sources that cover the same time.',
  },
  {
    name: 'Introspection',
    group: 'Health data',
    description: 'Progress of the history of connections, and their state of each resource.',
  },
  {
    name: 'Aggregate queries',
    group: 'Health data',
    description: 'Queries of the data of one user, which return tables in JSON or Parquet.',
  },
  {
    name: 'Continuous queries',
    group: 'Health data',
    description: 'Queries that are evaluated again whenever data of a user change.',
  },
  {
    name: 'Rules',
    group: 'Health data',
    description:
      'Rules on the data of users: thresholds, trends, missing data and goals, with events and tasks.',
  },
  {
    name: 'Lab tests',
    group: 'Laboratories',
    description: 'Laboratories, lab accounts, markers, and the lab tests that can be ordered.',
  },
  {
    name: 'Compendium',
    group: 'Laboratories',
    description: 'Search for the same test across laboratories, and translation of their codes.',
  },
  {
    name: 'Insurance',
    group: 'Laboratories',
    description: 'Insurance policies of users, payors, and diagnosis codes.',
  },
  {
    name: 'Orders',
    group: 'Laboratories',
    description: 'Laboratory orders, and their changes and cancellation.',
  },
  {
    name: 'Appointments',
    group: 'Laboratories',
    description: 'Service centers, and appointments for the collection of samples.',
  },
  {
    name: 'Documents',
    group: 'Laboratories',
    description: 'Requisitions, labels, notices and instructions of orders, as PDF files.',
  },
  {
    name: 'Results',
    group: 'Laboratories',
    description: 'Results of orders, as data and as the report of the laboratory.',
  },
  {
    name: 'Unmatched results',
    group: 'Laboratories',
    description: 'Results that could not be matched to an order and await a decision.',
  },
  {
    name: 'Lab reports',
    group: 'Laboratories',
    description: 'Lab reports as files, from which structured results are read.',
  },
  {
    name: 'Laboratory messages',
    group: 'Laboratories',
    description: 'Messages of laboratories that could not be applied, for the operator.',
  },
  {
    name: 'Laboratory connections',
    group: 'Laboratories',
    description: 'Connections to laboratories, their messages and trials, for the operator.',
  },
  {
    name: 'FHIR',
    group: 'Laboratories',
    description: 'Patients, orders, results and wearables as resources of FHIR R4.',
  },
  {
    name: 'Sandbox',
    group: 'Laboratories',
    description: 'Simulations that advance the orders and the time of a sandbox.',
  },
  {
    name: 'Webhooks',
    group: 'Administration',
    description: 'Endpoints that events are sent to, the events, and the delivery attempts.',
  },
  {
    name: 'Team',
    group: 'Administration',
    description: 'The team of the calling key.',
  },
  {
    name: 'Management',
    group: 'Administration',
    description: 'Organization, teams, keys, settings and the catalog, under a management key.',
  },
  {
    name: 'Operation',
    group: 'Administration',
    description: 'State of the installation for its operator, and the audit log.',
  },
  {
    name: 'Console',
    group: 'Administration',
    description: 'Sign-in to the console, with a session in a cookie.',
  },
  {
    name: DEPRECATED_TAG,
    group: 'Administration',
    description:
      'Operations that work, but have a better alternative. New code should not use them.',
  },
]
