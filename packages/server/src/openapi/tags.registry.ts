export const TAG_GROUPS = ['People', 'Health data', 'Laboratories', 'Administration'] as const

export interface Tag {
  name: string
  group: (typeof TAG_GROUPS)[number]
  description: string
}

/** What is deprecated is gathered here, wherever it belonged. */
export const DEPRECATED_TAG = 'Deprecated'

/** In the order in which somebody who starts needs them. */
export const TAGS: readonly Tag[] = [
  {
    name: 'Users',
    group: 'People',
    description: 'The people whose data a team holds, and their demographics.',
  },
  {
    name: 'Connections',
    group: 'People',
    description: 'What can be connected, and what each person is connected to.',
  },
  {
    name: 'Mobile',
    group: 'People',
    description:
      'How apps on phones sign in for a person, and what they ask and tell besides uploads.',
  },
  {
    name: 'Data rights',
    group: 'People',
    description:
      'Everything of a person as a file, erasure with a receipt, how long data are kept, and legal holds.',
  },
  {
    name: 'Assistants',
    group: 'People',
    description: 'How assistants that speak the Model Context Protocol ask, by a key or a token.',
  },
  {
    name: 'Ingestion',
    group: 'Health data',
    description: 'Uploads of samples and summaries, and what of them could not be stored.',
  },
  {
    name: 'Imports',
    group: 'Health data',
    description: 'Export files, which are read in the background.',
  },
  {
    name: 'Time series',
    group: 'Health data',
    description: 'Samples of each series: by source, or all sources as one.',
  },
  {
    name: 'Summaries',
    group: 'Health data',
    description: 'Days of activity, sleeps, workouts, meals, cycles and body measurements.',
  },
  {
    name: 'Source priorities',
    group: 'Health data',
    description: 'Which source counts first when several tell the same.',
  },
  {
    name: 'Introspection',
    group: 'Health data',
    description:
      'How far the history of connections has come, and what they have of each resource.',
  },
  {
    name: 'Aggregate queries',
    group: 'Health data',
    description: 'Questions about the data of one person, answered as tables in JSON or Parquet.',
  },
  {
    name: 'Continuous queries',
    group: 'Health data',
    description: 'Queries that are evaluated again whenever data of a person change.',
  },
  {
    name: 'Lab tests',
    group: 'Laboratories',
    description: 'Laboratories, lab accounts, markers, and the lab tests that can be ordered.',
  },
  {
    name: 'Compendium',
    group: 'Laboratories',
    description: 'Finds the same test across laboratories and translates their codes.',
  },
  {
    name: 'Insurance',
    group: 'Laboratories',
    description: 'Insurance of people, the payors behind it, and diagnosis codes.',
  },
  {
    name: 'Orders',
    group: 'Laboratories',
    description: 'Places, finds, changes and cancels laboratory orders.',
  },
  {
    name: 'Appointments',
    group: 'Laboratories',
    description: 'Where and by whom samples are collected, and appointments for it.',
  },
  {
    name: 'Documents',
    group: 'Laboratories',
    description: 'Requisitions, labels, notices and instructions of orders, as PDF.',
  },
  {
    name: 'Results',
    group: 'Laboratories',
    description: 'Results of orders, as data and as the report of the laboratory.',
  },
  {
    name: 'Unmatched results',
    group: 'Laboratories',
    description: 'Results that fit no order safely, and await a decision.',
  },
  {
    name: 'Lab reports',
    group: 'Laboratories',
    description: 'Reports as files, of which structured results are made.',
  },
  {
    name: 'Laboratory messages',
    group: 'Laboratories',
    description: 'What laboratories sent that could not be applied, for the operator.',
  },
  {
    name: 'Sandbox',
    group: 'Laboratories',
    description: 'Lets orders and the time of a sandbox go on.',
  },
  {
    name: 'Webhooks',
    group: 'Administration',
    description: 'Endpoints that events are sent to, the events, and the attempts at each.',
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
    description: 'What whoever runs the installation looks at, and the audit log.',
  },
  {
    name: 'Console',
    group: 'Administration',
    description: 'Signs people in to the console, with a session in a cookie.',
  },
  {
    name: DEPRECATED_TAG,
    group: 'Administration',
    description: 'Works, but has something better beside it. Not for new code.',
  },
]
