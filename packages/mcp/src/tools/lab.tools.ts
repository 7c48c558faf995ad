import { z } from 'zod'
import { type ListedOrder, toListedOrder } from './people.tools.ts'
import { DateText, defineTool } from './tool.ts'

const between = {
  start_date: DateText.optional(),
  end_date: DateText.optional(),
}

const listResults = defineTool({
  name: 'list_results',
  title: 'Laboratory results',
  description:
    'Returns results of a person from laboratory orders and uploaded reports, newest first: analyte, value, unit, range, interpretation, LOINC code. Use result_trend for one analyte over time.',
  isAboutPerson: true,
  input: {
    ...between,
    loinc_code: z.string().max(20).optional(),
    limit: z.int().min(1).max(200).default(50),
  },
  answer: (call, { user_id, ...query }) =>
    call({ method: 'GET', path: `/v3/user/${user_id}/result`, query }),
})

const resultTrend = defineTool({
  name: 'result_trend',
  title: 'One analyte over time',
  description:
    'Returns all results of an analyte in one unit, oldest first, whichever laboratory and unit reported them; with period also the mean, minimum and maximum of each month, quarter or year. left_out counts results that could not be converted.',
  isAboutPerson: true,
  input: {
    loinc_code: z.string().max(20).describe('LOINC code, such as 2345-7; list_results returns it.'),
    ...between,
    unit: z.string().min(1).max(40).optional().describe('UCUM unit, such as mmol/L.'),
    period: z.enum(['month', 'quarter', 'year']).optional(),
  },
  answer: (call, { user_id, ...query }) =>
    call({ method: 'GET', path: `/v3/user/${user_id}/result/trend`, query }),
})

const listOrders = defineTool({
  name: 'list_orders',
  title: 'Laboratory orders',
  description: 'Returns orders of a person, newest first, with their status.',
  isAboutPerson: true,
  input: {
    limit: z.int().min(1).max(50).default(20),
    page: z.int().min(1).max(1_000).default(1),
  },
  answer: async (call, { user_id, limit, page }) => {
    const query = { user_id, size: limit, page }
    const { orders, total } = (await call({ method: 'GET', path: '/v3/orders', query })) as {
      orders: ListedOrder[]
      total: number
    }
    return { orders: orders.map(toListedOrder), total }
  },
})

interface Order extends ListedOrder {
  events: { status: string; created_at: string; status_detail: string | null }[]
  expected_result_by_date?: string | null
  worst_case_result_by_date?: string | null
  has_missing_results?: boolean
  activate_by?: string | null
  origin?: string
  user_id: string
}

const getOrder = defineTool({
  name: 'get_order',
  title: 'A laboratory order',
  description:
    'Returns one order with its history, the lab test, and the expected date of results. Names and addresses are left out.',
  isAboutPerson: false,
  input: { order_id: z.uuid() },
  answer: async (call, { order_id }) => {
    const order = (await call({ method: 'GET', path: `/v3/order/${order_id}` })) as Order & {
      lab_test: { fasting?: boolean | null }
    }
    const { events, lab_test: test } = order
    return {
      ...toListedOrder(order),
      user_id: order.user_id,
      fasting: test.fasting,
      history: events.map(({ status, created_at, status_detail }) => ({
        status,
        at: created_at,
        detail: status_detail,
      })),
      expected_result_by_date: order.expected_result_by_date,
      worst_case_result_by_date: order.worst_case_result_by_date,
      has_missing_results: order.has_missing_results,
      activate_by: order.activate_by,
      origin: order.origin,
    }
  },
})

export const LAB_TOOLS = [listResults, resultTrend, listOrders, getOrder]
