import { DateTimeInput, Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { PDF_RESPONSE, sendPdf } from '@salus/kernel/http/pdf'
import type { Scope } from '@salus/kernel/scope'
import Type from 'typebox'
import {
  getAbnPdf,
  getInstructionsPdf,
  getLabelsPdf,
  getLabTestInstructionsPdf,
  getRequisitionPdf,
  type NamedPdf,
} from './order-documents.service.ts'

const tags = ['Documents']
const params = Type.Object({ order_id: Uuid })

const LabelsQuery = Type.Object({
  number_of_labels: Type.Integer({ minimum: 1, maximum: 20, default: 3 }),
  collection_date: DateTimeInput,
})

type Render = (scope: Scope, orderId: string) => Promise<NamedPdf>

/** Documents of orders, rendered when they are asked for. */
export function registerOrderDocumentRoutes(app: App): void {
  const register = (name: string, summary: string, render: Render): void => {
    app.get(
      `/v3/order/:order_id/${name}`,
      { schema: { tags, summary, params, response: PDF_RESPONSE } },
      async (request, reply) =>
        sendPdf(reply, await render(request.scope, request.params.order_id)),
    )
  }
  register('requisition/pdf', 'Requisition of an order', getRequisitionPdf)
  register('abn_pdf', 'Notice for patients who may have to pay', getAbnPdf)
  register('collection_instruction_pdf', 'Collection instructions of an order', getInstructionsPdf)

  app.get(
    '/v3/order/:order_id/labels/pdf',
    {
      schema: {
        tags,
        summary: 'Tube labels of an order',
        params,
        querystring: LabelsQuery,
        response: PDF_RESPONSE,
      },
    },
    async (request, reply) => {
      const { number_of_labels: numberOfLabels, collection_date: collectionDate } = request.query
      const options = { numberOfLabels, collectionDate }
      return sendPdf(reply, await getLabelsPdf(request.scope, request.params.order_id, options))
    },
  )

  app.get(
    '/v3/lab_test/:lab_test_id/collection_instruction_pdf',
    {
      schema: {
        tags,
        summary: 'Collection instructions of a lab test',
        params: Type.Object({ lab_test_id: Uuid }),
        response: PDF_RESPONSE,
      },
    },
    async (request, reply) =>
      sendPdf(reply, await getLabTestInstructionsPdf(request.scope, request.params.lab_test_id)),
  )
}
