// The parts of VS Code's types that the extension uses, copied from its `vscode.d.ts`.
declare module "vscode" {
  export type Event<T> = (listener: (event: T) => any) => Disposable;

  export class Disposable {
    dispose(): any;
  }

  export class Position {
    constructor(line: number, character: number);
    readonly line: number;
    readonly character: number;
  }

  export class Range {
    constructor(startLine: number, startCharacter: number, endLine: number, endCharacter: number);
    readonly start: Position;
    readonly end: Position;
  }

  export class Selection extends Range {}

  export interface Uri {
    readonly scheme: string;
    readonly fsPath: string;
  }

  export interface TextDocument {
    readonly uri: Uri;
    readonly languageId: string;
    lineAt(line: number): { readonly text: string };
  }

  export interface TextEditorEdit {
    replace(location: Position | Range | Selection, value: string): void;
  }

  export interface TextEditor {
    readonly selections: readonly Selection[];
    edit(callback: (edit: TextEditorEdit) => void): Thenable<boolean>;
  }

  export interface CancellationToken {
    isCancellationRequested: boolean;
    onCancellationRequested: Event<any>;
  }

  export class MarkdownString {
    constructor(value?: string);
    value: string;
  }

  export class Hover {
    constructor(contents: MarkdownString, range?: Range);
    contents: MarkdownString[];
    range?: Range;
  }

  export interface HoverProvider {
    provideHover(
      document: TextDocument, position: Position, token: CancellationToken,
    ): Thenable<Hover | undefined | null>;
  }

  export class ThemeIcon {
    constructor(id: string);
  }

  export interface QuickInputButton {
    readonly iconPath: ThemeIcon;
    readonly tooltip?: string;
  }

  export interface QuickPickItem {
    label: string;
    description?: string;
    alwaysShow?: boolean;
    buttons?: readonly QuickInputButton[];
  }

  export interface QuickPick<T extends QuickPickItem> {
    title: string | undefined;
    busy: boolean;
    value: string;
    placeholder: string | undefined;
    buttons: readonly QuickInputButton[];
    items: readonly T[];
    activeItems: readonly T[];
    matchOnDescription: boolean;
    readonly onDidChangeValue: Event<string>;
    readonly onDidAccept: Event<void>;
    readonly onDidTriggerButton: Event<QuickInputButton>;
    readonly onDidTriggerItemButton: Event<{ readonly item: T }>;
    onDidHide: Event<void>;
    show(): void;
    hide(): void;
    dispose(): void;
  }

  export interface OutputChannel extends Disposable {
    appendLine(value: string): void;
  }

  export interface ConfigurationChangeEvent {
    affectsConfiguration(section: string): boolean;
  }

  export interface ExtensionContext {
    readonly subscriptions: { dispose(): any }[];
  }

  export namespace commands {
    function registerCommand(command: string, callback: (...args: any[]) => any): Disposable;
  }

  export namespace env {
    const clipboard: { writeText(value: string): Thenable<void> };
  }

  export namespace languages {
    function registerHoverProvider(selector: string, provider: HoverProvider): Disposable;
  }

  export namespace window {
    const activeTextEditor: TextEditor | undefined;
    function createQuickPick<T extends QuickPickItem>(): QuickPick<T>;
    function showQuickPick(items: readonly string[], options?: { title?: string }): Thenable<string | undefined>;
    function showInputBox(options?: { title?: string; prompt?: string }): Thenable<string | undefined>;
    function showErrorMessage(message: string): Thenable<string | undefined>;
    function showInformationMessage(message: string): Thenable<string | undefined>;
    function createOutputChannel(name: string): OutputChannel;
  }

  export namespace workspace {
    const workspaceFolders: readonly { readonly uri: Uri }[] | undefined;
    const onDidChangeConfiguration: Event<ConfigurationChangeEvent>;
    const onDidGrantWorkspaceTrust: Event<void>;
    function getConfiguration(section: string, scope?: TextDocument): { get<T>(name: string): T | undefined };
  }
}

interface Thenable<T> extends PromiseLike<T> {}
