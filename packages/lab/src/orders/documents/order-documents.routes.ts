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

type OperationWords = Record<'operationId' | 'summary' | 'description', string>
type Render = (scope: Scope, orderId: string) => Promise<NamedPdf>

/** Documents of orders, rendered when they are asked for. */
export function registerOrderDocumentRoutes(app: App): void {
  const register = (name: string, words: OperationWords, render: Render): void => {
    app.get(
      `/v3/order/:order_id/${name}`,
      { schema: { ...words, tags, params, response: PDF_RESPONSE } },
      async (request, reply) =>
        sendPdf(reply, await render(request.scope, request.params.order_id)),
    )
  }
  const requisition = {
    operationId: 'getOrderRequisition',
    summary: 'Requisition of an order',
    description: 'What the patient takes to the laboratory.',
  }
  register('requisition/pdf', requisition, getRequisitionPdf)
  const abn = {
    operationId: 'getOrderAbn',
    summary: 'Notice for patients who may have to pay',
    description:
      'The advance beneficiary notice, for the patient to sign; 404 when the order needs none.',
  }
  register('abn_pdf', abn, getAbnPdf)
  const instructions = {
    operationId: 'getOrderCollectionInstructions',
    summary: 'Collection instructions of an order',
    description: 'How to take the sample of the order.',
  }
  register('collection_instruction_pdf', instructions, getInstructionsPdf)

  app.get(
    '/v3/order/:order_id/labels/pdf',
    {
      schema: {
        operationId: 'getOrderLabels',
        tags,
        summary: 'Tube labels of an order',
        description: 'Labels for the tubes of a draw on site.',
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
  registerLabTestInstructions(app)
}

function registerLabTestInstructions(app: App): void {
  app.get(
    '/v3/lab_test/:lab_test_id/collection_instruction_pdf',
    {
      schema: {
        operationId: 'getLabTestCollectionInstructions',
        tags,
        summary: 'Collection instructions of a lab test',
        description: 'How to take the sample of the lab test.',
        params: Type.Object({ lab_test_id: Uuid }),
        response: PDF_RESPONSE,
      },
    },
    async (request, reply) =>
      sendPdf(reply, await getLabTestInstructionsPdf(request.scope, request.params.lab_test_id)),
  )
}
