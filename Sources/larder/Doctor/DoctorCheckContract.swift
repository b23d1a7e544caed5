/// One thing that `larder doctor` looks at.
protocol DoctorCheckContract: Sendable {
    /// What is found; at least one thing, also where all is well.
    func look(at subject: DoctorSubject) async -> [DoctorFinding]
}
