import { z } from 'zod'
import { defineTool } from './tool.ts'

const explainMissingEvent = defineTool({
  name: 'explain_missing_event',
  title: 'Why there was no event',
  description:
    'Why a webhook event about a person did not come: what keeps it from being raised (no connection, no data, an order that waits), what keeps it from being delivered (no webhook, another subscription, disabled), and the last such event.',
  isAboutPerson: true,
  input: {
    event_type: z.string().max(100).describe('Exactly, such as daily.data.sleep.created.'),
  },
  answer: (call, { user_id, event_type }) =>
    call({ method: 'GET', path: `/v2/user/${user_id}/event_explanation`, query: { event_type } }),
})

export const EVENT_TOOLS = [explainMissingEvent]
