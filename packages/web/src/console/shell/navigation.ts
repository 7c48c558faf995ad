import {
  IconActivity,
  IconActivityHeartbeat,
  IconAlertTriangle,
  IconBolt,
  IconClockPlay,
  IconFileSearch,
  IconFlask,
  IconGripVertical,
  IconListCheck,
  IconListDetails,
  IconListSearch,
  IconServer2,
  IconSettings,
  IconShieldLock,
  IconTestPipe,
  IconUserSearch,
  IconUsers,
  IconWebhook,
} from '../components/icons.tsx'

/** Links of the sidebar, in groups. Addresses are below the environment. */
export const NAVIGATION = [
  {
    title: '',
    links: [
      { to: '/$team/$env/overview', title: 'Overview', Icon: IconActivity },
      { to: '/$team/$env/people', title: 'People', Icon: IconUsers },
      { to: '/$team/$env/tasks', title: 'Tasks', Icon: IconListCheck },
    ],
  },
  {
    title: 'Laboratories',
    links: [
      { to: '/$team/$env/orders', title: 'Orders', Icon: IconTestPipe },
      { to: '/$team/$env/catalog', title: 'Catalog', Icon: IconFlask },
      { to: '/$team/$env/connections', title: 'Connections', Icon: IconServer2 },
      { to: '/$team/$env/matching', title: 'Result review', Icon: IconUserSearch },
      { to: '/$team/$env/reports', title: 'Lab reports', Icon: IconFileSearch },
      { to: '/$team/$env/sandbox', title: 'Sandbox', Icon: IconClockPlay },
    ],
  },
  {
    title: 'Events',
    links: [
      { to: '/$team/$env/webhooks', title: 'Webhooks', Icon: IconWebhook },
      { to: '/$team/$env/events', title: 'Events', Icon: IconBolt },
      { to: '/$team/$env/event-types', title: 'Event types', Icon: IconListDetails },
    ],
  },
  {
    title: 'Data',
    links: [
      { to: '/$team/$env/queries', title: 'Queries', Icon: IconListSearch, exact: true },
      {
        to: '/$team/$env/queries/continuous',
        title: 'Continuous queries',
        Icon: IconActivityHeartbeat,
      },
      { to: '/$team/$env/priorities', title: 'Source priorities', Icon: IconGripVertical },
      { to: '/$team/$env/rules', title: 'Rules', Icon: IconAlertTriangle },
    ],
  },
  {
    title: 'Team',
    links: [
      { to: '/$team/$env/rights', title: 'Data rights', Icon: IconShieldLock },
      { to: '/$team/$env/settings', title: 'Settings', Icon: IconSettings },
    ],
  },
] as const
