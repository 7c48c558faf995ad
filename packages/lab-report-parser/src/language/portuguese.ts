import { type LanguageWords, list } from './language-words.ts'

/** The words of reports in Portuguese. */
export const PORTUGUESE: LanguageWords = {
  columns: {
    test: list(`
      exame; exames; analise; analises; parametro; parametros; teste; determinacao; descricao; analito;
      ensaio; nome; componente`),
    result: list(`
      resultado; resultados; valor; valores; resultado atual; valor obtido; valores obtidos`),
    unit: list(`unidade; unidades; un.; unid.; und.; unidade de medida; unid`),
    reference: list(`
      valores de referencia; valor de referencia; intervalo de referencia; intervalos de referencia;
      referencia; v.r.; vr; valor ref.; valores normais; faixa de referencia; val. ref.; v. ref.; valores
      ref.; referencias; valor normal; ref.; intervalo; valores ref; faixa normal`),
    flag: list(`
      alerta; estado; status; indicador; interpretacao; sinal; nota; observacao`),
    method: list(`metodo; metodologia; material; amostra; tecnica; codigo`),
    previous: list(`
      anterior; anteriores; resultado anterior; resultados anteriores; historico; valor anterior; ultimo
      resultado`),
  },
  header: {
    date: list(`data`),
    patient: list(`
      paciente; nome; nome do paciente; utente; cliente; nome completo; nome paciente; dados do paciente;
      nome do utente; nome do cliente; sr(a); sr.(a); sr(a).`),
    firstName: list(`primeiro nome; nome proprio`),
    lastName: list(`sobrenome; apelido; ultimo nome`),
    dateOfBirth: list(`
      data de nascimento; data nascimento; nascimento; data nasc.; dt. nasc.; dt nasc; nasc.; dt.
      nascimento; d. nasc.; dn; dt.nasc; dt. nasc; data nasc; d.n.; nascido em; data de nasc.; dt. de
      nascimento; nasc`),
    age: list(`idade`),
    gender: list(`sexo; genero`),
    ageAndGender: list(`
      idade/sexo; sexo/idade; idade / sexo; sexo / idade; idade e sexo; sexo e idade`),
    laboratory: list(`laboratorio; unidade; realizado em`),
    collected: list(`
      data da coleta; data de colheita; coleta; colheita; data coleta; data de coleta; data colheita;
      coletado em; data da colheita; dt. coleta; coletado; coleta em; recebido/coletado em; colhido em;
      data/hora coleta; data e hora da coleta; coleta realizada em; dt coleta; recolha; data de recolha;
      data da recolha; data hora coleta; amostra colhida em`),
    received: list(`
      recebido; entrada; data de entrada; data do pedido; cadastro; data de cadastro; data da entrada;
      atendimento; data do atendimento; impresso em; data entrada; data atendimento; dt. entrada; pedido
      em; data de rececao; data do cadastro; admissao; data da ficha; impressao; recebido em; data de
      registo; dt. cadastro; data de atendimento; data de impressao; data de recepcao`),
    reported: list(`
      data do resultado; emissao; data de emissao; liberado em; data do relatorio; data liberacao;
      liberacao; data de liberacao; validado em; data da liberacao; emitido em; data de validacao; data
      emissao; data do laudo; laudo em; data validacao; resultado em; data de resultado; data relatorio;
      data da emissao; data do boletim; assinado em; entrega; data de entrega; dt. emissao; dt. liberacao;
      data resultado; conferido em`),
    specimenNumber: list(`
      amostra; numero da amostra; n amostra; n. amostra; nº amostra; pedido; nº pedido; n. pedido; numero
      do pedido; protocolo; requisicao; nº requisicao; os; ordem de servico; codigo de barras; codigo da
      amostra; ficha; n. requisicao; no. pedido; o.s.; os n; atendimento nº; nº do pedido; n° do pedido;
      n° pedido; n° amostra; n° da amostra; nº da amostra; nº processo; n° os; nº os; id amostra; numero
      do exame; numero da requisicao; guia; processo; n° protocolo; nº protocolo; codigo do pedido; n° da
      requisicao; requisicao nº; n° requisicao`),
    patientNumber: list(`
      prontuario; cpf; registro; rg; nif; endereco; telefone; convenio; id paciente; n utente; nº utente;
      morada; posto; tel; pagina; matricula; sns; tel.; plano; origem; leito; setor; local; cns; cartao;
      destino; entidade; celular`),
    physician: list(`
      medico; solicitante; medico solicitante; dr; dr.; dra.; dr(a); medico(a); medico assistente;
      solicitado por; dr(a).; prof. solicitante; liberado por; responsavel tecnico; responsavel;
      requisitante; validado por; assinado por; doutor`),
  },
  normal: list(`normal`),
  high: list(`alto; elevado; aumentado; alta; elevada`),
  low: list(`baixo; diminuido; baixa; reduzido`),
  abnormal: list(`anormal; fora da faixa; alterado; fora do intervalo`),
  critical: list(`critico; panico; valor critico`),
  positive: list(`
      positivo; positiva; reagente; detectado; detetado; presente; presentes`),
  negative: list(`
      negativo; negativa; nao reagente; nao detectado; nao detetado; ausente; ausentes; ausencia;
      indetectavel; nao reativo`),
  male: list(`masculino; m; homem; homens; masc; meninos`),
  female: list(`feminino; f; mulher; mulheres; fem; meninas`),
  sections: list(`
      hematologia; bioquimica; hemograma; hemograma completo; eritrograma; leucograma; plaquetograma;
      coagulacao; imunologia; sorologia; hormonios; urina; urina tipo i; eas; lipidograma; perfil
      lipidico; funcao hepatica; funcao renal; marcadores tumorais; microbiologia; endocrinologia;
      ionograma; serie vermelha; serie branca; funcao tiroideia; vitaminas; hemostase; sedimentoscopia;
      serologia; quimica clinica; perfil hepatico`),
}
