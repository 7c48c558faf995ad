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

/** Registers the routes for documents of orders, which are rendered on request. */
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
    summary: 'Read the requisition of an order',
    description: 'Returns the requisition, which the patient takes to the laboratory.',
  }
  register('requisition/pdf', requisition, getRequisitionPdf)
  const abn = {
    operationId: 'getOrderAbn',
    summary: 'Read the advance beneficiary notice of an order',
    description:
      'Returns the notice for the patient to sign. Answers 404 when the order needs none.',
  }
  register('abn_pdf', abn, getAbnPdf)
  const instructions = {
    operationId: 'getOrderCollectionInstructions',
    summary: 'Read the collection instructions of an order',
    description: 'Returns instructions for collecting the samples of the order.',
  }
  register('collection_instruction_pdf', instructions, getInstructionsPdf)

  app.get(
    '/v3/order/:order_id/labels/pdf',
    {
      schema: {
        operationId: 'getOrderLabels',
        tags,
        summary: 'Read the tube labels of an order',
        description: 'Returns labels for the tubes of an on-site collection.',
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
        summary: 'Read the collection instructions of a lab test',
        description: 'Returns instructions for collecting the samples of the lab test.',
        params: Type.Object({ lab_test_id: Uuid }),
        response: PDF_RESPONSE,
      },
    },
    async (request, reply) =>
      sendPdf(reply, await getLabTestInstructionsPdf(request.scope, request.params.lab_test_id)),
  )
}
