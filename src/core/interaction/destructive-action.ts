/**
 * Controls that read like a destructive action are never used. Words of eleven languages in two ranks: what ends, removes or pays is
 * never touched, what sends or agrees is touched only where forms are to be sent.
 */

/** `ends`: takes something away or costs money. `commits`: tells somebody something. */
type Destruction = 'ends' | 'commits';

interface Wording {
  /** What a person reads: text, label, title. */
  readonly words: string;
  /** What a developer reads: id, classes, names, addresses. */
  readonly marks: string;
}

/**
 * Words, or runs of words, by language: each begins a word; before `|` the word ends, before `!` nothing else is said
 * ("Order", not "Order history").
 */
const ENDS: Readonly<Record<string, string>> = {
  english:
    'log out|,logout|,log off|,logoff|,log me out|,sign out|,signout|,sign off|,signoff|,delete,deletion|,remove,erase,destroy,discard|,wipe|,purge|,trash!,revoke,deactivat,disable account,close account,cancel account,cancel my,cancel subscription,cancel order,cancel membership,cancel plan,unsubscribe,opt out,unregister,uninstall,terminate,ban!,block user,report user,buy|,buy now,purchase,checkout|,check out|,pay|,pay now,payment|,place order,place your order,order now,order!,reorder!,add to cart,add to basket,add to bag,donate|,subscribe and pay,bid!,place bid,transfer money,withdraw|,reset password,reset all,factory reset,drop table,empty trash,empty cart,clear all data,end session,book now,reserve now,rent now,upgrade now,start trial,start free trial',
  german:
    'abmelden|,ausloggen|,logout|,lösch,loesch,entfernen|,verwerfen|,kündig,kuendig,abbestell,austragen|,deaktivier,konto schließen,konto schliessen,kaufen|,jetzt kaufen,zahlungspflichtig,bestell,bezahl,zur kasse,kasse!,in den warenkorb,warenkorb legen,spenden|,storn,widerruf,überweis,ueberweis,jetzt buchen,mieten|,papierkorb leeren,sperren|',
  french:
    'déconnexion,deconnexion,se déconnecter,se deconnecter,déconnecter,supprim,effacer|,retirer|,désabonn,desabonn,désinscri,desinscri,résili,resili,désactiver,desactiver,fermer mon compte,fermer le compte,annuler mon,annuler la commande,acheter|,achat!,commander|,payer|,paiement|,passer commande,ajouter au panier,faire un don,réserver|,vider le panier',
  spanish:
    'cerrar sesión,cerrar sesion,salir de la cuenta,eliminar,borrar|,quitar|,suprimir|,darse de baja,dar de baja,cancelar suscripción,cancelar suscripcion,cancelar cuenta,cancelar mi,cancelar pedido,desactivar|,comprar|,comprar ahora,pagar|,pago!,realizar pedido,hacer pedido,pedir ahora,finalizar compra,tramitar pedido,añadir al carrito,agregar al carrito,donar|,reservar|',
  italian:
    'disconnetti,esci|,logout|,elimina,cancella|,cancellare|,cancella account,rimuovi|,rimuovere|,annulla iscrizione,annulla ordine,disiscriv,disattiva|,chiudi account,compra|,acquista|,acquistare|,ordina ora,effettua ordine,paga|,pagamento|,cassa|,aggiungi al carrello,svuota,dona!,dona ora,prenota|',
  portuguese:
    'terminar sessão,encerrar sessão,sair|,sair da conta,desconectar,excluir|,apagar|,eliminar|,remover|,cancelar assinatura,cancelar conta,cancelar inscrição,cancelar pedido,descadastrar,desativar|,comprar|,pagar|,pagamento|,finalizar compra,fazer pedido,encomendar|,adicionar ao carrinho,doar|,reservar|',
  dutch:
    'uitloggen|,afmelden|,log uit|,verwijder,wissen|,opzeggen|,uitschrijven|,account sluiten,annuleer bestelling,deactiveer,kopen|,koop nu,nu kopen,bestel|,bestellen|,bestel nu,afrekenen|,betaal,betalen|,in winkelwagen,in winkelmand,doneer|,boek nu',
  polish:
    'wyloguj,usuń|,usun|,usuwa,skasuj|,kasuj|,wypisz|,anuluj subskrypcję,anuluj zamówienie,zrezygnuj,dezaktywuj,zamknij konto,kup|,kup teraz,kupuję|,zamawiam|,zamów|,zamow|,zapłać|,zaplac|,płacę|,do kasy,do koszyka,dodaj do koszyka,wesprzyj|,zarezerwuj',
  russian:
    'выйти|,выход!,разлогин,удалить|,удали,стереть|,очистить|,отписаться|,отменить подписку,отменить заказ,деактивир,закрыть аккаунт,купить|,покупка|,заказать|,оформить заказ,оплатить|,оплата|,в корзину,пожертвовать|,забронировать|',
  chinese:
    '退出登录,登出,注销,退出账号,登录退出,删除,刪除,移除,清空,退订,退訂,取消订阅,取消訂閱,取消订单,取消訂單,停用,购买,購買,立即购买,下单,下單,结账,結帳,结算,支付,付款,加入购物车,加入購物車,捐款,捐赠',
  japanese:
    'ログアウト,サインアウト,削除,消去,退会,解約,購読解除,配信停止,登録解除,キャンセルする,注文をキャンセル,購入,注文,レジに進む,支払,カートに入れる,カートに追加,寄付,予約する',
};

const COMMITS: Readonly<Record<string, string>> = {
  english:
    'send|,submit|,publish|,post!,post comment,reply|,save|,save changes,confirm|,accept|,agree|,approve|,apply|,apply now,update profile,sign up|,signup|,register|,create account,subscribe|,follow!,unfollow|,join!,like!,upvote|,downvote|,vote!,rate!,share|,tweet|,invite!,report!,flag!,upload|,import!,install!,allow!,enable notifications,request!,book!,reserve!,i agree,yes!,grant!,merge!,deploy|,restart|,archive!,reset!,claim!,log in|,login|,sign in|,signin|',
  german:
    'absenden|,senden|,abschicken|,schicken|,veröffentlich,veroeffentlich,speicher,bestätig,bestaetig,akzeptier,zustimm,einverstanden|,annehmen|,registrier,abonnier,anmelden|,einloggen|,bewerben|,teilen!,kommentieren|,antworten|,folgen|,melden!,hochladen|,anfrage|,reservier,genehmig,gefällt mir',
  french:
    "envoyer|,soumettre|,publier|,poster|,répondre|,repondre|,enregistrer|,sauvegarder|,confirmer|,valider|,accepter|,tout accepter,approuver|,inscri,s'inscrire,s'abonner,abonner|,connexion|,se connecter,partager|,suivre!,signaler|,postuler|,téléverser|,j'accepte",
  spanish:
    'enviar|,publicar|,responder|,guardar|,confirmar|,aceptar|,aprobar|,registrarse|,registrar|,regístrate|,suscrib,iniciar sesión,iniciar sesion,compartir|,seguir!,denunciar|,solicitar|,subir|',
  italian:
    'invia|,inviare|,pubblica|,rispondi|,salva|,salvare|,conferma|,accetta|,approva|,registrati|,iscriviti|,abbonati|,accedi|,condividi|,segui!,segnala|,candidati|,carica file',
  portuguese:
    'enviar|,publicar|,postar|,responder|,salvar|,guardar|,gravar|,confirmar|,aceitar|,aprovar|,registar|,registrar|,cadastr,inscrever,subscrever|,assinar|,entrar|,partilhar|,compartilhar|,seguir!,denunciar|',
  dutch:
    'verzend,versturen|,verstuur|,plaatsen|,publiceer,publiceren|,reageer|,opslaan|,bewaren|,bevestig,accepteer,accepteren|,akkoord|,registreer,aanmelden|,inschrijven|,inloggen|,abonneer,delen!,volgen|,solliciteer',
  polish:
    'wyślij|,wyslij|,opublikuj|,publikuj|,odpowiedz|,zapisz|,potwierdź|,potwierdz|,akceptuj|,akceptuję|,zaakceptuj,zgadzam,zatwierdź|,zarejestruj,zaloguj,subskrybuj|,udostępnij|,obserwuj|,zgłoś|',
  russian:
    'отправить|,опубликовать|,ответить|,сохранить|,подтвердить|,принять|,согласен|,согласиться|,зарегистрир,регистрация|,войти|,вход!,подписаться|,поделиться|,пожаловаться|,загрузить файл',
  chinese:
    '发送,發送,提交,发布,發布,发表,發表,回复,回覆,保存,儲存,确认,確認,接受,同意,注册,註冊,登录,登入,订阅,訂閱,分享,关注,關注,上传,上傳,点赞',
  japanese:
    '送信,投稿,公開する,返信,保存,確認する,承認,同意,許可,登録,ログイン,サインイン,購読,共有,フォローする,アップロード,申し込,いいね',
};

/** Methods and names in markup and addresses that say the same without a language. */
const MARKED_ENDS =
  /(?:^|[\W_])(?:log-?out|log-?off|sign-?out|sign-?off|delete|destroy|remove|erase|purge|trash|unsubscribe|opt-?out|deactivate|checkout|buy|purchase|pay|payment|place-?order|add-?to-?(?:cart|basket|bag)|donate|revoke|kill|shutdown|reboot|uninstall|data-method (?:delete|put|patch|post)|data-turbo-method (?:delete|put|patch|post)|hx-delete)(?=$|[\W_])/i;
const MARKED_COMMITS =
  /(?:^|[\W_])(?:submit|publish|save|confirm|accept|approve|upload|subscribe|sign-?up|register|vote|like|hx-post|hx-put|hx-patch)(?=$|[\W_])/i;

const LETTER = '\\p{L}\\p{M}\\p{N}';

function matcherOf(lists: Readonly<Record<string, string>>): RegExp {
  const terms = new Set(Object.values(lists).flatMap((list) => list.split(',')));
  const sources = [...terms].map((term) => {
    const end = term.endsWith('!') ? 'text' : term.endsWith('|') ? 'word' : 'none';
    const text = (end === 'none' ? term : term.slice(0, -1))
      .trim()
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll(' ', '\\s+');
    // Chinese and Japanese write no spaces
    if (/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(term)) return text;
    if (end === 'text') return `^[^${LETTER}]*${text}[^${LETTER}]*$`;
    return `(?<![${LETTER}])${text}${end === 'word' ? `(?![${LETTER}])` : ''}`;
  });
  return new RegExp(sources.join('|'), 'iu');
}

const READS_ENDS = matcherOf(ENDS);
const READS_COMMITS = matcherOf(COMMITS);

/** Longer texts are no names of buttons. */
const WORDS = 240;
const MARKS = 500;

/** The graver harm that it reads like; null for none. */
export function destructionOf({ words, marks }: Wording): Destruction | null {
  const read = words
    .slice(0, WORDS)
    .normalize('NFC')
    .replace(/[\s\u00A0_]+/g, ' ');
  // `deleteItem`, `btnDelete`
  const marked = marks
    .slice(0, MARKS)
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1-$2')
    .replaceAll('_', '-');
  if (READS_ENDS.test(read) || MARKED_ENDS.test(marked)) return 'ends';
  return READS_COMMITS.test(read) || MARKED_COMMITS.test(marked) ? 'commits' : null;
}
